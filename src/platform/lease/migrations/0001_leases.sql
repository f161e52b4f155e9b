-- Named leases: a time-limited claim of one holder on a name.
create schema leases;
create sequence leases.fences;
create table leases.leases (
  name text primary key check (length(name) between 1 and 1000),
  holder uuid not null,
  fence bigint not null default nextval('leases.fences'),
  expires_at timestamptz not null
);
create index leases_by_expiry on leases.leases (expires_at);

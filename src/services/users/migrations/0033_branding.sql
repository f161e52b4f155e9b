-- How the installation presents itself: one row, or none for the usual look.
create table users.branding (
  id boolean primary key default true check (id),
  name text,
  accent text,
  notice text,
  notice_until timestamptz,
  logo bytea,
  logo_type text,
  updated_at timestamptz not null default now(),
  check ((logo is null) = (logo_type is null))
);

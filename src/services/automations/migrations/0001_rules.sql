create schema automations;

create table automations.rules (
  id bigint generated always as identity primary key,
  client_id text not null,
  name text not null,
  type text not null,
  origin text not null,
  agents jsonb not null,
  is_active boolean not null,
  created_by text not null,
  created_at timestamptz not null default now(),
  last_update timestamptz not null default now()
);
create index rules_of_client on automations.rules (client_id, id);

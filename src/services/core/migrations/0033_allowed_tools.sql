-- tools whose calls wait for nobody, as each person decided; holds while the tool is as it was then
create table core.allowed_tools (
  user_id text not null,
  server text not null,
  name text not null,
  fingerprint text not null,
  allowed_at timestamptz not null default now(),
  primary key (user_id, server, name)
);

-- what an administrator says that a tool does; holds while the tool says what it said then
create table tool_gateway.tool_effects (
  server text not null,
  name text not null,
  effect text not null check (effect in ('read_only', 'additive', 'destructive')),
  fingerprint text not null,
  set_by text not null,
  set_at timestamptz not null default now(),
  primary key (server, name)
);

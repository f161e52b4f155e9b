create table users.roles (
  name text primary key,
  description text not null default '',
  -- [{action, subject, conditions?, inverted?}], as CASL reads them: a later one overrules an earlier one
  permissions jsonb not null default '[]',
  built_in boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
insert into users.roles (name, description, permissions, built_in) values
  ('admin', 'Everything, and what is for administrators alone', '[{"action": "manage", "subject": "all"}]', true),
  ('user', 'Everything but what is for administrators alone', '[{"action": "manage", "subject": "all"}]', true),
  ('reader', 'Reads what is his or shared with him, and changes nothing', '[{"action": "read", "subject": "all"}]', true);

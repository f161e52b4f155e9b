-- A research of a reply: its approved plan, its budget, and what of that is used.
create table core.research (
  message_id uuid primary key references core.messages (id) on delete cascade,
  steps jsonb not null,
  budget jsonb not null,
  searches integer not null default 0,
  pages integer not null default 0,
  running integer not null default 0,
  unread jsonb not null default '[]'
);

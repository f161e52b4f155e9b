-- What people mark folders, documents, agents and conversations with, and the rule of each label.
create table users.labels (
  id uuid primary key,
  client_id text not null,
  name text not null,
  description text not null default '',
  color text not null default 'plain',
  -- null: all providers
  providers text[],
  open_world text not null check (open_world in ('allowed', 'ask', 'refused')),
  -- groups within which it may be shared; null: with anybody
  sharing uuid[],
  removal text not null check (removal in ('owners', 'administrators')),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index one_label_per_name on users.labels (client_id, lower(name));

create table users.feature_labels (
  feature_id uuid not null references users.features (id) on delete cascade,
  label_id uuid not null references users.labels (id) on delete cascade,
  -- it came with what a run has read, and only administrators take it off
  carried boolean not null default false,
  primary key (feature_id, label_id)
);
create index features_of_label on users.feature_labels (label_id);

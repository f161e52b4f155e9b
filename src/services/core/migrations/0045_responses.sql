-- Replies by /v1/responses that were asked to be stored, so that later requests can name them.
create table core.responses (
  -- without the prefix `resp_`
  id uuid primary key,
  user_id text not null,
  -- the response that it continues; one that is gone stays named
  previous_id uuid,
  -- the items of the request, and those that the model wrote
  input jsonb not null,
  output jsonb not null,
  -- the response without its output
  head jsonb not null,
  bytes int not null,
  created_at timestamptz not null default now()
);
create index responses_of_user on core.responses (user_id, created_at desc, id desc) include (bytes);
create index responses_by_age on core.responses (created_at);

-- How calls to each provider ended, by the hour. Each process that calls providers has rows of its own,
-- which only grow: what it sends twice, or late, changes nothing. A reader adds them up.
create table core.provider_calls (
  provider text not null references core.model_providers (name) on delete cascade,
  hour timestamptz not null,
  outcome text not null,
  source uuid not null,
  calls bigint not null,
  begun bigint not null,
  first_token_ms bigint not null,
  last_at timestamptz not null,
  last_failure jsonb,
  primary key (provider, hour, outcome, source)
);
create index provider_calls_by_hour on core.provider_calls (hour);

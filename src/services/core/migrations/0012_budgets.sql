alter table core.model_transactions add column agent_id text, add column cost numeric(20, 10), add column currency text;
create index model_transactions_of_agent on core.model_transactions (agent_id, created_at) where agent_id is not null;

-- beyond the tables that the requirements name: what may be used, and what was used of it, counted as records come in so that a check is one read
create table core.budgets (
  id uuid primary key,
  name text not null,
  subject_type text not null check (subject_type in ('user', 'group', 'agent')),
  -- '*': each user, or each agent, on its own
  subject_id text not null,
  -- of a group: one amount for all its members, or as much for each
  share text not null check (share in ('pool', 'each')),
  unit text not null check (unit in ('tokens', 'money')),
  amount numeric(20, 6) not null,
  period text not null check (period in ('day', 'week', 'month', 'total')),
  warn_at numeric(4, 3) not null,
  enabled boolean not null,
  created_by text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create table core.budget_spending (
  budget_id uuid not null references core.budgets (id) on delete cascade,
  -- whose: a user, an agent, or 'pool'
  spender text not null,
  period_start date not null,
  spent numeric(20, 10) not null,
  primary key (budget_id, spender, period_start)
);

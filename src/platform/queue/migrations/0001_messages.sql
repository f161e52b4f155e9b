create schema queue;

create table queue.messages (
  queue text not null,
  id text not null,
  data jsonb not null,
  pattern text not null,
  -- tries begun so far; counted when work begins, so that a message which kills its worker comes to an end
  tries int not null default 0,
  -- when it may be taken: a delay, a wait before a retry, or the end of a worker's lease
  due_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  died_at timestamptz,
  error text,
  primary key (queue, id)
);
create index messages_due on queue.messages (queue, due_at) where died_at is null;
create index messages_dead on queue.messages (queue, died_at) where died_at is not null;

-- messages for a broker, written with the data that they belong to and sent after the commit
create table queue.outbox (
  position bigint generated always as identity primary key,
  queue text not null,
  id text not null,
  pattern text not null,
  data jsonb not null,
  delay_ms int not null default 0
);

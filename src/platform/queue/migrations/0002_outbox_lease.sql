-- whoever sends a row holds it until then, without a transaction that stays open while the broker is slow
alter table queue.outbox add column due_at timestamptz not null default now();

-- each new key forgets the old ones of its person
create index idempotency_keys_by_age on automations.idempotency_keys (user_id, created_at);

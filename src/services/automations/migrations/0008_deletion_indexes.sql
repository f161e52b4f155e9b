-- The deletion of a run looks for the keys that refer to it.
create index idempotency_keys_of_run on automations.idempotency_keys (run_id);

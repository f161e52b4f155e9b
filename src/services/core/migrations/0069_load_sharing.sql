-- which fallbacks are the same model elsewhere and share its load: {by, weight, with: [{id, weight}]}
alter table core.available_models add column load_sharing jsonb;

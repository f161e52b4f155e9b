-- what holds where neither a request nor its agent says it; null: nothing
alter table core.available_models add column parameters jsonb;

-- the part of the input that the provider put into its cache, which many charge more for
alter table core.model_transactions add column cache_write_input_tokens int;

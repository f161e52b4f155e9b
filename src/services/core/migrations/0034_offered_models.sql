-- whether the provider lists the model now: one that is not listed cannot answer
alter table core.available_models add column offered boolean not null default true;

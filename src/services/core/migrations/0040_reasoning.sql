alter table core.messages add column reasoning text not null default '';

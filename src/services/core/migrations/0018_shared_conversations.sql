-- whether the users service knows whose it is; it must before a conversation can be shared
alter table core.conversations add column registered boolean not null default false;
create index conversations_unregistered on core.conversations (id) where not registered;

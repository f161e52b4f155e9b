-- another at each sign-in and renewal: who read an earlier one changes nothing
alter table tool_gateway.connections add column version uuid not null default gen_random_uuid();

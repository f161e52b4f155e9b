-- while a reply is made: who asked for it, whose limit of replies at once it counts against
alter table core.messages add column asked_by text;

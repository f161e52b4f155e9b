-- The system that sent the job; its results repeat it.
alter table parser.jobs add column requester text;

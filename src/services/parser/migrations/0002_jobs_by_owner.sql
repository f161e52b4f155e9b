-- what a user had read: for his export, and when he is deleted
create index jobs_by_owner on parser.jobs (owner_id, id) where owner_id is not null;

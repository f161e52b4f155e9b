-- the attempt that is under way, or the last one; messages about another are of no interest
alter table documents.documents add column job_id uuid;
-- attempts begun by the house itself since somebody last asked for one
alter table documents.documents add column restarts int not null default 0;
alter table documents.documents add column progress real not null default 0;
-- what nothing is heard of until then is lost
alter table documents.documents add column lease_until timestamptz;
-- a failed one that is left as it is
alter table documents.documents add column skipped boolean not null default false;
alter table documents.documents add column markdown_key text;
-- what the parser says of it: pages, title, author, language, which backend gave what
alter table documents.documents add column parsing jsonb;
-- what the embedding says of it: chunks, model, dimensions
alter table documents.documents add column indexing jsonb;
create index documents_in_work on documents.documents (lease_until) where lease_until is not null;

-- how files of this folder are read and cut; what it does not say, the folder around it says
alter table documents.folders add column settings jsonb not null default '{}';

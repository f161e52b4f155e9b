-- A held document has not been sent to the parser or the embedding: its owner has enough in work.
alter table documents.documents add column held boolean not null default false;
create index held_documents on documents.documents (owner_id, id) where held;
create index documents_in_work_of_owner on documents.documents (owner_id)
  where lease_until is not null;

-- Names as lists search and sort them, folded once when they are stored: to fold 50,000 took a second.
alter table documents.documents add column folded_name text collate "C" not null
  generated always as (documents.fold_text(file_name)) stored;
create index documents_by_name on documents.documents (owner_id, folded_name, id);
drop index documents.documents_in_folder;
create index documents_in_folder on documents.documents (folder_id, folded_name, id);

-- Files that code of a conversation wrote. A name may have several: older calls show older ones.
create table core.conversation_files (
  id uuid primary key,
  conversation_id uuid not null references core.conversations (id) on delete cascade,
  name text not null,
  media_type text not null,
  size bigint not null,
  sha256 text not null,
  storage_key text not null,
  created_at timestamptz not null default now()
);
create index files_of_conversation on core.conversation_files (conversation_id, created_at desc, id);

-- Bytes to delete from the storage, by their key, or by the beginning of the keys of one call when
-- it ends with a slash. Those of a call are listed before they are written, so that nothing stays
-- of one whose process died.
create table core.file_removals (
  storage_key text primary key,
  due_at timestamptz not null default now()
);
create index file_removals_due on core.file_removals (due_at);

create function core.remove_file() returns trigger language plpgsql as $$
begin
  insert into core.file_removals (storage_key) values (old.storage_key) on conflict do nothing;
  return null;
end $$;
create trigger remove_file after delete on core.conversation_files
  for each row execute function core.remove_file();

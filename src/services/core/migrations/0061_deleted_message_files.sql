-- Files of messages that were deleted. Those that are attachments and that no message has any more
-- are deleted, too.
create table core.released_files (
  file_id uuid primary key
);
create index message_files_of_file on core.message_files (file_id);

create function core.release_file() returns trigger language plpgsql as $$
begin
  insert into core.released_files (file_id) values (old.file_id) on conflict do nothing;
  return null;
end $$;
create trigger release_file after delete on core.message_files
  for each row execute function core.release_file();

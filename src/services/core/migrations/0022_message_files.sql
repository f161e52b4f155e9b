create table core.message_files (
  message_id uuid not null references core.messages (id) on delete cascade,
  file_id uuid not null,
  position int not null,
  -- as it was when it was attached; the document may be renamed or gone
  file_name text not null,
  mime_type text not null,
  size bigint not null,
  primary key (message_id, file_id)
);

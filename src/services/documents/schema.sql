-- The tables of the schema documents after all migrations. Made by `npm run schema-sql`.

create table documents.chunk_sets (
  id uuid not null,
  document_id uuid not null,
  state text not null default 'building'::text,
  fingerprint text not null,
  total_chunks integer not null default 0,
  text_configs text[] not null default '{}'::text[],
  created_at timestamp with time zone not null default now(),
  analysis integer not null default 1,
  constraint chunk_sets_pkey PRIMARY KEY (id),
  constraint chunk_sets_document_id_fkey FOREIGN KEY (document_id) REFERENCES documents.documents(id) ON DELETE CASCADE,
  constraint chunk_sets_state_check CHECK ((state = ANY (ARRAY['building'::text, 'current'::text])))
);
CREATE INDEX chunk_sets_analysis ON documents.chunk_sets USING btree (analysis);
CREATE INDEX chunk_sets_of_document ON documents.chunk_sets USING btree (document_id);
CREATE UNIQUE INDEX one_current_chunk_set ON documents.chunk_sets USING btree (document_id) WHERE (state = 'current'::text);

create table documents.chunks (
  id uuid not null,
  set_id uuid not null,
  document_id uuid not null,
  chunk_index integer not null,
  content text not null,
  translation text,
  language text,
  content_type text not null default 'text'::text,
  page_number integer,
  headings text[] not null default '{}'::text[],
  start_offset integer not null,
  end_offset integer not null,
  token_count integer not null,
  search tsvector not null,
  search_length integer not null,
  place jsonb,
  constraint chunks_pkey PRIMARY KEY (id),
  constraint chunks_set_id_chunk_index_key UNIQUE (set_id, chunk_index),
  constraint chunks_set_id_fkey FOREIGN KEY (set_id) REFERENCES documents.chunk_sets(id) ON DELETE CASCADE
);
CREATE INDEX chunks_search ON documents.chunks USING gin (search) WITH (gin_pending_list_limit='256');

create table documents.documents (
  id uuid not null,
  owner_id text not null,
  client_id text not null,
  folder_id uuid,
  file_name text not null,
  mime_type text not null,
  size bigint not null,
  sha256 text not null,
  storage_key text not null,
  status text not null,
  error jsonb,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  job_id uuid,
  restarts integer not null default 0,
  progress real not null default 0,
  lease_until timestamp with time zone,
  skipped boolean not null default false,
  markdown_key text,
  parsing jsonb,
  indexing jsonb,
  held boolean not null default false,
  folded_name text not null generated always as (documents.fold_text(file_name)) stored,
  purpose text,
  name_words tsvector not null generated always as (documents.name_words(file_name)) stored,
  constraint documents_pkey PRIMARY KEY (id),
  constraint documents_folder_id_fkey FOREIGN KEY (folder_id) REFERENCES documents.folders(id),
  constraint documents_status_check CHECK ((status = ANY (ARRAY['UPLOADED'::text, 'PARSING'::text, 'PARSED'::text, 'EMBEDDING'::text, 'PROCESSED'::text, 'FAILED'::text])))
);
CREATE INDEX attachments ON documents.documents USING btree (id) WHERE (purpose = 'attachment'::text);
CREATE INDEX documents_by_content ON documents.documents USING btree (owner_id, sha256);
CREATE INDEX documents_by_file ON documents.documents USING btree (storage_key);
CREATE INDEX documents_by_name ON documents.documents USING btree (owner_id, folded_name, id);
CREATE INDEX documents_by_name_words ON documents.documents USING gin (name_words);
CREATE INDEX documents_in_folder ON documents.documents USING btree (folder_id, folded_name, id);
CREATE INDEX documents_in_folder_by_id ON documents.documents USING btree (folder_id, id);
CREATE INDEX documents_in_work ON documents.documents USING btree (lease_until) WHERE (lease_until IS NOT NULL);
CREATE INDEX documents_in_work_of_owner ON documents.documents USING btree (owner_id) WHERE (lease_until IS NOT NULL);
CREATE INDEX documents_of_owner ON documents.documents USING btree (owner_id, updated_at DESC);
CREATE INDEX documents_of_owner_by_id ON documents.documents USING btree (owner_id, id);
CREATE INDEX held_documents ON documents.documents USING btree (owner_id, id) WHERE held;

create table documents.embedding_choice (
  id boolean not null default true,
  name text not null,
  provider text not null,
  dimensions integer not null,
  available_model_id text,
  server text,
  constraint embedding_choice_pkey PRIMARY KEY (id),
  constraint embedding_choice_dimensions_check CHECK (((dimensions >= 1) AND (dimensions <= 2000))),
  constraint embedding_choice_id_check CHECK (id)
);

create table documents.embedding_models (
  id smallint not null,
  name text not null,
  provider text not null,
  dimensions integer not null,
  state text not null,
  created_at timestamp with time zone not null default now(),
  index_type text not null default 'halfvec'::text,
  failure jsonb,
  available_model_id text,
  server text,
  constraint embedding_models_pkey PRIMARY KEY (id),
  constraint embedding_models_name_dimensions_key UNIQUE (name, dimensions),
  constraint embedding_models_dimensions_check CHECK (((dimensions >= 1) AND (dimensions <= 2000))),
  constraint embedding_models_index_type_check CHECK ((index_type = ANY (ARRAY['halfvec'::text, 'vector'::text]))),
  constraint embedding_models_state_check CHECK ((state = ANY (ARRAY['active'::text, 'building'::text, 'retired'::text])))
);
CREATE UNIQUE INDEX one_active_embedding_model ON documents.embedding_models USING btree ((true)) WHERE (state = 'active'::text);

create table documents.embeddings (
  chunk_id uuid not null,
  model_id smallint not null,
  set_id uuid not null,
  embedding vector not null,
  indexed boolean not null default false,
  constraint embeddings_pkey PRIMARY KEY (chunk_id, model_id),
  constraint embeddings_chunk_id_fkey FOREIGN KEY (chunk_id) REFERENCES documents.chunks(id) ON DELETE CASCADE,
  constraint embeddings_model_id_fkey FOREIGN KEY (model_id) REFERENCES documents.embedding_models(id) ON DELETE CASCADE
);
CREATE INDEX embeddings_of_model ON documents.embeddings USING btree (model_id);
CREATE INDEX embeddings_of_set ON documents.embeddings USING btree (set_id, model_id);
CREATE INDEX embeddings_unindexed ON documents.embeddings USING btree (model_id, chunk_id) WHERE (NOT indexed);

create table documents.file_batches (
  id uuid not null,
  folder_id uuid not null,
  document_ids uuid[] not null,
  created_at timestamp with time zone not null default now(),
  constraint file_batches_pkey PRIMARY KEY (id),
  constraint file_batches_folder_id_fkey FOREIGN KEY (folder_id) REFERENCES documents.folders(id) ON DELETE CASCADE
);
CREATE INDEX file_batches_of_folder ON documents.file_batches USING btree (folder_id, created_at);

create table documents.folders (
  id uuid not null,
  owner_id text not null,
  client_id text not null,
  parent_id uuid,
  name text not null,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  settings jsonb not null default '{}'::jsonb,
  store jsonb not null default '{}'::jsonb,
  constraint folders_pkey PRIMARY KEY (id),
  constraint folders_parent_id_fkey FOREIGN KEY (parent_id) REFERENCES documents.folders(id)
);
CREATE INDEX folders_in_folder ON documents.folders USING btree (parent_id);
CREATE INDEX folders_of_owner ON documents.folders USING btree (owner_id);

create table documents.refused_chunks (
  chunk_id uuid not null,
  model_id smallint not null,
  code text not null,
  constraint refused_chunks_pkey PRIMARY KEY (chunk_id, model_id),
  constraint refused_chunks_chunk_id_fkey FOREIGN KEY (chunk_id) REFERENCES documents.chunks(id) ON DELETE CASCADE,
  constraint refused_chunks_model_id_fkey FOREIGN KEY (model_id) REFERENCES documents.embedding_models(id) ON DELETE CASCADE
);
CREATE INDEX refused_chunks_of_model ON documents.refused_chunks USING btree (model_id);

create table documents.store_files (
  folder_id uuid not null,
  document_id uuid not null,
  attributes jsonb not null default '{}'::jsonb,
  constraint store_files_pkey PRIMARY KEY (folder_id, document_id),
  constraint store_files_document_id_fkey FOREIGN KEY (document_id) REFERENCES documents.documents(id) ON DELETE CASCADE,
  constraint store_files_folder_id_fkey FOREIGN KEY (folder_id) REFERENCES documents.folders(id) ON DELETE CASCADE
);
CREATE INDEX store_files_of_document ON documents.store_files USING btree (document_id);

CREATE OR REPLACE FUNCTION documents.fold_text(value text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
  select case when octet_length(value) = char_length(value) then lower(value)
  else replace(replace(replace(replace(
    lower(normalize(regexp_replace(
      normalize(translate(value, 'ẞØøĐđÐðŁłĦħıÆŒÞ', 'ßooddddllhhiæœþ'), nfd),
      '[\u0300-\u036f]', '', 'g'), nfc)),
    'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th')
  end
$function$
;

CREATE OR REPLACE FUNCTION documents.name_words(value text)
 RETURNS tsvector
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
  with written as (
    select regexp_replace(documents.fold_text(
      regexp_replace(value, '([a-z])([A-Z])', '\1 \2', 'g')),
      '[\x01-\x2f\x3a-\x40\x5b-\x60\x7b-\x7f]+', ' ', 'g') as words),
  divided as (
    select words, regexp_replace(words, '([0-9])([^0-9 ])', '\1 \2', 'g') as after_digits
    from written)
  select array_to_tsvector(array(
    select distinct word from divided, string_to_table(words || ' ' || after_digits || ' ' ||
      regexp_replace(after_digits, '([^0-9 ])([0-9])', '\1 \2', 'g'), ' ') word
    where char_length(word) between 2 and 256))
$function$
;

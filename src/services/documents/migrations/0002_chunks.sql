create extension if not exists vector;

-- Several models' vectors stand beside each other; questions are asked in the active one's. Each has an HNSW index of its own, which
-- the embedding service makes with the row: an index needs to know the dimensions.
create table documents.embedding_models (
  id smallint primary key generated always as identity,
  name text not null,
  provider text not null,
  dimensions int not null check (dimensions between 1 and 2000),
  state text not null check (state in ('active', 'building', 'retired')),
  created_at timestamptz not null default now(),
  unique (name, dimensions)
);
create unique index one_active_embedding_model on documents.embedding_models ((true)) where state = 'active';

-- One way in which a document was cut. A new one is built beside the current one and takes its place when it is complete.
create table documents.chunk_sets (
  -- the id of the job that made it
  id uuid primary key,
  document_id uuid not null references documents.documents (id) on delete cascade,
  state text not null default 'building' check (state in ('building', 'current')),
  -- of the text and of how it is cut: a job that comes again with others starts anew
  fingerprint text not null,
  total_chunks int not null default 0,
  -- configurations of full-text search that its chunks were indexed with
  text_configs text[] not null default '{}',
  created_at timestamptz not null default now()
);
create unique index one_current_chunk_set on documents.chunk_sets (document_id) where state = 'current';
create index chunk_sets_of_document on documents.chunk_sets (document_id);

create table documents.chunks (
  id uuid primary key,
  set_id uuid not null references documents.chunk_sets (id) on delete cascade,
  document_id uuid not null,
  chunk_index int not null,
  -- as it stands in the document, for citations
  content text not null,
  -- what is searched instead, where it was translated
  translation text,
  language text,
  content_type text not null default 'text',
  page_number int,
  headings text[] not null default '{}',
  -- in UTF-16 units of the document's text
  start_offset int not null,
  end_offset int not null,
  token_count int not null,
  search tsvector not null,
  -- words, for BM25
  search_length int not null,
  unique (set_id, chunk_index)
);
create index chunks_search on documents.chunks using gin (search);

create table documents.embeddings (
  chunk_id uuid not null references documents.chunks (id) on delete cascade,
  model_id smallint not null references documents.embedding_models (id) on delete cascade,
  set_id uuid not null,
  -- of its model's dimensions, 1024 unless configured otherwise
  embedding vector not null,
  primary key (chunk_id, model_id)
);

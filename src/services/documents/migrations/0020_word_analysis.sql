-- How the words of a set were analysed. The embedding service analyses sets of an older way again.
alter table documents.chunk_sets add column analysis int not null default 1;
create index chunk_sets_analysis on documents.chunk_sets (analysis);

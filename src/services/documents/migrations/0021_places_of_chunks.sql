-- Where a chunk stands: its page, slide, sheet and rows, chapter or section.
alter table documents.chunks add column place jsonb;

-- The pages of flowing texts, sheets and books were parts of the text, not pages that a reader sees.
update documents.chunks c set place = jsonb_build_object(
    'kind', 'section', 'part', coalesce(c.page_number, 1),
    'name', case when c.headings = '{}' then null else c.headings[array_upper(c.headings, 1)] end)
  from documents.documents d
  where d.id = c.document_id and d.mime_type <> 'application/pdf'
    and d.mime_type !~ '^image/(?!svg)' and d.mime_type !~ 'presentation|powerpoint';

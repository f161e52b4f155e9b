-- Files that were given to a conversation or a form (purpose 'attachment') are no documents of the
-- person: they are listed and searched only where they were given, and deleted with that.
create index attachments on documents.documents (id) where purpose = 'attachment';

-- models that make images, speak, transcribe and moderate
alter table core.models drop constraint models_kind_check;
alter table core.models add constraint models_kind_check check
  (kind in ('completion', 'embedding', 'image', 'speech', 'transcription', 'moderation'));

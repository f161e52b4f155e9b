-- When each running investigation began: one whose process was killed counts no more after a while.
alter table core.research drop column running;
alter table core.research add column running timestamptz[] not null default '{}';

-- The bytes of all versions, for the quota of their owner.
alter table core.canvases add column bytes bigint not null default 0;
alter table core.agents add column bytes bigint not null default 0;
update core.canvases c set bytes = v.bytes from (
  select canvas_id, sum(octet_length(content)) as bytes from core.canvas_versions group by canvas_id
) v where v.canvas_id = c.id;
update core.agents a set bytes = v.bytes from (
  select agent_id, sum(octet_length(definition::text)) as bytes from core.agent_versions
  group by agent_id
) v where v.agent_id = a.id;

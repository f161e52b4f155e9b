-- whether a model of the environment reads images was assumed, never known
update core.models m set capabilities = m.capabilities || '{"visionAssumed": true}'
where m.kind = 'completion' and (m.capabilities ->> 'vision')::boolean
  and exists (select 1 from core.available_models a join core.model_providers p on p.name = a.provider_name
    where a.model_id = m.id and a.from_environment and p.kind <> 'offline');

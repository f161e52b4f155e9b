import sql from "sql-template-tag";
import type { Cache } from "../../../platform/cache/cache.ts";
import type { Database } from "../../../platform/db/database.ts";
import { jsonb } from "../../../platform/db/jsonb.ts";
import type { Logger } from "../../../platform/telemetry/log.ts";
import type { OfferedModel } from "../../completion/contract-provider-kinds.ts";
import { announceCatalogueChange } from "./choose-model.ts";
import { listOfferedModels } from "./list-offered-models.ts";
import { nameBareModels } from "./store.ts";
import { openProvider, type ProviderDeps } from "./providers.ts";

const MAX_DISCOVERED = 200;
const MAX_NAME_CHARACTERS = 300;
const TIMEOUT_MS = 10_000;

interface Deps extends ProviderDeps {
  cache: Cache;
  log: Logger;
}

/**
 * Asks each of these providers for its models. If a provider does not answer, its last list stays.
 */
export async function discoverModels(
  deps: Deps,
  providers: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  for (const name of providers) {
    try {
      const provider = await openProvider(deps, name);
      const limit = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
      const offered = await listOfferedModels(deps.endpoints, provider, limit);
      if (await saveOfferedModels(deps.db, name, offered))
        await announceCatalogueChange(deps.cache);
    } catch (error) {
      if (signal.aborted) return;
      deps.log.warn({ err: error, provider: name }, "cannot list the models of a provider");
    }
  }
}

/** Keeps what administrators set for a model. @returns whether anything changed. */
async function saveOfferedModels(
  db: Database,
  provider: string,
  offered: readonly OfferedModel[],
): Promise<boolean> {
  const rows = offered
    .filter(({ kind }) => kind !== "rerank" && kind !== "other")
    .filter(({ providerModelId }) => providerModelId.length <= MAX_NAME_CHARACTERS)
    .slice(0, MAX_DISCOVERED)
    .map((model) => ({ ...model, id: `${provider}/${model.providerModelId}` }));
  if (rows.length === 0) return false;
  const given = sql`jsonb_to_recordset(${jsonb(rows)}) as g (id text, "providerModelId" text,
    "displayName" text, kind text, "contextWindow" int, vision boolean)`;
  const names = rows.map(({ providerModelId }) => providerModelId);
  return db.tx(async () => {
    await db.query(sql`
      insert into core.models (id, name, kind, context_window, capabilities)
      select id, left("displayName", 200), kind, "contextWindow",
        jsonb_build_object('tools', kind = 'completion',
          'vision', kind = 'completion' and coalesce(vision, true), 'reasoning', false,
          'visionAssumed', kind = 'completion' and vision is null)
      from ${given} on conflict do nothing`);
    const judged = await db.query(sql`
      update core.models m
      set capabilities = m.capabilities || jsonb_build_object('vision', g.vision, 'visionAssumed', false)
      from ${given} where m.id = g.id and g.vision is not null and m.kind = 'completion'
        and coalesce((m.capabilities ->> 'visionAssumed')::boolean, false) returning m.id`);
    const added = await db.query(sql`
      insert into core.available_models
        (id, model_id, provider_name, provider_model_id, display_name, from_environment)
      select id, id, ${provider}, "providerModelId", left("displayName", 200), true
      from ${given} on conflict do nothing returning id`);
    const changed = await db.query(sql`
      update core.available_models set offered = not offered
      where provider_name = ${provider} and from_environment
        and offered <> (provider_model_id = any(${names}::text[])) returning id`);
    const named = await nameBareModels(db, rows);
    return added.length + changed.length + judged.length + named > 0;
  });
}

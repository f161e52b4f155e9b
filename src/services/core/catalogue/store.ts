import sql from "sql-template-tag";
import { jsonb } from "../../../platform/db/jsonb.ts";
import type { Database } from "../../../platform/db/database.ts";
import type {
  AvailableModelEntry,
  ModelEntry,
  ModelsProviders,
  ProviderEntry,
} from "../../completion/contract-catalogue.ts";
import type { Selection } from "./contract-entries.ts";
import { fallbacksOf } from "./fallbacks.ts";
import { MODEL, type Nullable, withoutNulls } from "./models.ts";
import { openConfig, sealConfig, sealNewSecrets } from "./provider-config.ts";

/**
 * The whole catalogue with secrets in plain text, for the completion service, in the order of its
 * entries. The tables are small.
 */
export async function readCatalogue(
  db: Database,
  encryptionKey: string,
): Promise<ModelsProviders> {
  const providers = await db.query<ProviderEntry>(sql`
    select name, display_name as "displayName", kind, enabled and available as enabled, config
    from core.model_providers order by created_at, name`);
  const models = await db.query<Nullable<ModelEntry>>(
    sql`select ${MODEL} from core.models order by id`,
  );
  const available = await db.query<Nullable<AvailableModelEntry>>(sql`
    select id, model_id as "modelId", provider_name as "providerName",
      provider_model_id as "providerModelId", display_name as "displayName",
      enabled and offered as enabled, pricing, ${fallbacksOf(sql`available_models.id`)} as fallbacks,
      load_sharing as "loadSharing", parameters
    from core.available_models order by position, id`);
  return {
    providers: providers.map((provider) => ({
      ...provider,
      config: openConfig(provider.kind, provider.config, encryptionKey),
    })),
    models: models.map(withoutNulls<ModelEntry>),
    availableModels: available.map(withoutNulls<AvailableModelEntry>),
  };
}

/**
 * Adds what the environment configures to the catalogue, or updates it. What administrators set
 * stays. `listed`: providers whose servers say what they offer; others offer what is named here.
 */
export async function seedCatalogue(
  db: Database,
  { providers, models, availableModels }: ModelsProviders,
  encryptionKey: string,
  listed: readonly string[] = [],
): Promise<void> {
  await db.tx(async () => {
    for (const provider of providers) await seedProvider(db, provider, encryptionKey);
    for (const { id, name, kind, capabilities } of models)
      await db.query(sql`
        insert into core.models (id, name, kind, capabilities)
        values (${id}, ${name}, ${kind}, ${jsonb(capabilities)}) on conflict do nothing`);
    for (const {
      id,
      modelId,
      providerName,
      providerModelId,
      displayName,
    } of availableModels)
      await db.query(sql`
        insert into core.available_models (id, model_id, provider_name, provider_model_id,
          display_name, from_environment)
        values (${id}, ${modelId}, ${providerName}, ${providerModelId}, ${displayName}, true)
        on conflict do nothing`);
    await nameBareModels(db, availableModels);
    const ids = availableModels.map(({ id }) => id);
    const named = providers
      .map(({ name }) => name)
      .filter((name) => !listed.includes(name));
    await db.query(sql`
      update core.available_models set offered = not offered
      where from_environment and provider_name = any(${named}::text[])
        and offered <> (id = any(${ids}::text[]))`);
    await sealStoredConfigs(db, encryptionKey);
    // a provider whose key is no longer in the environment cannot answer
    const names = providers.map(({ name }) => name);
    await db.query(sql`
      update core.model_providers set available = (name = any(${names})) where from_environment`);
  });
}

/** Names entries of the environment that have no name but their id at the provider. */
export async function nameBareModels(
  db: Database,
  named: readonly Pick<AvailableModelEntry, "id" | "displayName">[],
): Promise<number> {
  const names = jsonb(named.map(({ id, displayName }) => ({ id, name: displayName })));
  const renamed = await db.query(sql`
    update core.available_models a set display_name = left(g.name, 200)
    from jsonb_to_recordset(${names}) as g (id text, name text)
    where a.id = g.id and a.from_environment and a.display_name = a.provider_model_id
      and left(g.name, 200) <> a.provider_model_id returning a.id`);
  return renamed.length;
}

async function seedProvider(
  db: Database,
  { name, displayName, kind, config }: ProviderEntry,
  encryptionKey: string,
): Promise<void> {
  const sealed = jsonb(sealConfig(kind, config, encryptionKey));
  await db.query(sql`
    insert into core.model_providers (name, display_name, kind, config, from_environment)
    values (${name}, ${displayName}, ${kind}, ${sealed}, true)
    on conflict (name) do update
      set kind = excluded.kind, config = excluded.config, updated_at = now()
      where core.model_providers.from_environment`);
}

/** A field may have become secret since the config was stored. */
async function sealStoredConfigs(db: Database, encryptionKey: string): Promise<void> {
  const stored = await db.query<ProviderEntry>(
    sql`select name, kind, config from core.model_providers for update`,
  );
  for (const { name, kind, config } of stored) {
    const sealed = sealNewSecrets(kind, config, encryptionKey);
    if (JSON.stringify(sealed) === JSON.stringify(config)) continue;
    await db.query(
      sql`update core.model_providers set config = ${jsonb(sealed)} where name = ${name}`,
    );
  }
}

/** What can answer now. The offline model is no language model, so it comes last. */
export async function listSelections(
  db: Database,
  limit: number,
  offset: number,
  kind: ModelEntry["kind"] | "any" = "completion",
): Promise<{ items: Selection[]; total: number }> {
  const usable = sql`from core.available_models a join core.models m on m.id = a.model_id
      join core.model_providers p on p.name = a.provider_name
    where a.enabled and a.offered and m.enabled and p.enabled and p.available
      and ${kind} in ('any', m.kind)`;
  const rows = await db.query<Nullable<Selection>>(sql`
    select a.id, a.model_id as "modelId", a.provider_name as "providerName",
      a.provider_model_id as "providerModelId", a.display_name as "displayName", a.enabled,
      a.pricing, ${fallbacksOf(sql`a.id`)} as fallbacks, a.load_sharing as "loadSharing", a.parameters, m.kind, m.context_window as "contextWindow",
      m.max_output_tokens as "maxOutputTokens", m.dimensions, m.capabilities,
      p.display_name as "providerDisplayName", p.kind as "providerKind"
    ${usable} order by (p.kind = 'offline'), a.position, a.id limit ${limit} offset ${offset}`);
  const [count] = await db.query<{ total: number }>(
    sql`select count(*)::int as total ${usable}`,
  );
  return { items: rows.map(withoutNulls<Selection>), total: count?.total ?? 0 };
}

import sql from "sql-template-tag";
import { openSecret, sealSecret } from "../../../platform/auth/secrets.ts";
import { jsonb } from "../../../platform/db/jsonb.ts";
import type { Database } from "../../../platform/db/database.ts";
import {
  type AvailableModelEntry,
  type ModelEntry,
  type ModelsProviders,
  type ProviderEntry,
  type ProviderKind,
  secretFields,
} from "../../completion/contract-catalogue.ts";

/** The whole catalogue, with secrets in clear: for the completion service. Small tables, read whole, in order of entry. */
export async function readCatalogue(db: Database, encryptionKey: string): Promise<ModelsProviders> {
  const providers = await db.query<ProviderEntry>(
    sql`select name, display_name as "displayName", kind, enabled, config from core.model_providers order by created_at, name`,
  );
  const models = await db.query<Nullable<ModelEntry>>(
    sql`select id, name, kind, context_window as "contextWindow", max_output_tokens as "maxOutputTokens", dimensions, capabilities, enabled from core.models`,
  );
  const available = await db.query<
    Nullable<AvailableModelEntry>
  >(sql`select id, model_id as "modelId", provider_name as "providerName", provider_model_id as "providerModelId",
    display_name as "displayName", enabled, pricing from core.available_models order by position`);
  return {
    providers: providers.map((provider) => ({
      ...provider,
      config: onSecrets(provider.kind, provider.config, (sealed) => openSecret(sealed, encryptionKey)),
    })),
    models: models.map(withoutNulls<ModelEntry>),
    availableModels: available.map(withoutNulls<AvailableModelEntry>),
  };
}

/** Puts what the environment names into the catalogue: added, or brought up to date. What administrators made stays as it is. */
export async function seedCatalogue(
  db: Database,
  { providers, models, availableModels }: ModelsProviders,
  encryptionKey: string,
): Promise<void> {
  await db.tx(async () => {
    for (const { name, displayName, kind, config } of providers) {
      const sealed = onSecrets(kind, config, (plain) => sealSecret(plain, encryptionKey));
      await db.query(sql`insert into core.model_providers (name, display_name, kind, config, from_environment) values (${name}, ${displayName}, ${kind}, ${jsonb(sealed)}, true)
        on conflict (name) do update set config = excluded.config, updated_at = now() where core.model_providers.from_environment`);
    }
    for (const { id, name, kind, capabilities } of models) {
      await db.query(
        sql`insert into core.models (id, name, kind, capabilities) values (${id}, ${name}, ${kind}, ${jsonb(capabilities)}) on conflict do nothing`,
      );
    }
    for (const { id, modelId, providerName, providerModelId, displayName } of availableModels) {
      await db.query(sql`insert into core.available_models (id, model_id, provider_name, provider_model_id, display_name)
        values (${id}, ${modelId}, ${providerName}, ${providerModelId}, ${displayName}) on conflict do nothing`);
    }
    // a provider whose key is gone from the environment cannot answer
    const names = providers.map(({ name }) => name);
    await db.query(sql`update core.model_providers set enabled = (name = any(${names})) where from_environment`);
  });
}

export async function listModels(db: Database, limit: number, offset: number): Promise<{ items: ModelEntry[]; total: number }> {
  const rows = await db.query<
    Nullable<ModelEntry>
  >(sql`select id, name, kind, context_window as "contextWindow", max_output_tokens as "maxOutputTokens", dimensions, capabilities, enabled
    from core.models where enabled order by id limit ${limit} offset ${offset}`);
  const [count] = await db.query<{ total: number }>(sql`select count(*)::int as total from core.models where enabled`);
  return { items: rows.map(withoutNulls<ModelEntry>), total: count?.total ?? 0 };
}

const USABLE = sql`from core.available_models a join core.models m on m.id = a.model_id join core.model_providers p on p.name = a.provider_name
  where a.enabled and m.enabled and p.enabled and m.kind = 'completion'`;

/** What can answer now; the offline model stands last, for it answers nothing. */
export async function listSelections(
  db: Database,
  limit: number,
  offset: number,
): Promise<{ items: (AvailableModelEntry & { contextWindow?: number })[]; total: number }> {
  const rows = await db.query<
    Nullable<AvailableModelEntry & { contextWindow?: number }>
  >(sql`select a.id, a.model_id as "modelId", a.provider_name as "providerName", a.provider_model_id as "providerModelId",
    a.display_name as "displayName", a.enabled, a.pricing, m.context_window as "contextWindow" ${USABLE} order by (p.kind = 'offline'), a.position limit ${limit} offset ${offset}`);
  const [count] = await db.query<{ total: number }>(sql`select count(*)::int as total ${USABLE}`);
  return { items: rows.map(withoutNulls<AvailableModelEntry & { contextWindow?: number }>), total: count?.total ?? 0 };
}

type Nullable<T> = { [K in keyof T]: T[K] | null };

function withoutNulls<T>(row: Nullable<T>): T {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)) as T; // null stands for an optional field alone
}

function onSecrets(
  kind: ProviderKind,
  config: Record<string, unknown>,
  change: (secret: string) => string,
): Record<string, unknown> {
  const fields = secretFields(kind);
  return Object.fromEntries(
    Object.entries(config).map(([field, value]) => [
      field,
      fields.includes(field) && typeof value === "string" ? change(value) : value,
    ]),
  );
}

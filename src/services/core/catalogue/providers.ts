import sql from "sql-template-tag";
import type { Database } from "../../../platform/db/database.ts";
import { jsonb } from "../../../platform/db/jsonb.ts";
import { isUniqueViolation } from "../../../platform/db/errors.ts";
import { Conflict, NotFound } from "../../../platform/http/errors.ts";
import type { Outgoing } from "../../../platform/outgoing/outgoing.ts";
import {
  type ProviderKind,
  providerKinds,
} from "../../completion/contract-provider-kinds.ts";
import type { NewProvider, Provider, ProviderChange } from "./contract-entries.ts";
import { fromEnvironment } from "./models.ts";
import { checkConfig, maskConfig, openConfig, sealConfig } from "./provider-config.ts";

export interface ProviderDeps {
  db: Database;
  endpoints: Outgoing;
  encryptionKey: string;
}

interface Row extends Omit<Provider, "createdAt" | "updatedAt"> {
  createdAt: Date;
  updatedAt: Date;
}

interface ProviderFilter {
  enabledOnly: boolean;
  /** With the config and masked secrets, for administrators. */
  withConfig: boolean;
}

const PROVIDER = sql`name, display_name as "displayName", kind, enabled, config, available,
  from_environment as "fromEnvironment", created_at as "createdAt", updated_at as "updatedAt"`;

export async function listProviders(
  db: Database,
  { enabledOnly, withConfig }: ProviderFilter,
  limit: number,
  offset: number,
): Promise<{ items: Provider[]; total: number }> {
  const condition = enabledOnly ? sql`enabled and available` : sql`true`;
  const rows = await db.query<Row>(sql`
    select ${PROVIDER} from core.model_providers where ${condition}
    order by created_at, name limit ${limit} offset ${offset}`);
  const [count] = await db.query<{ total: number }>(
    sql`select count(*)::int as total from core.model_providers where ${condition}`,
  );
  return {
    items: rows.map((row) => toProvider(row, withConfig)),
    total: count?.total ?? 0,
  };
}

/** @throws NotFound `provider_not_found`. */
export async function findProvider(
  db: Database,
  name: string,
  withConfig: boolean,
): Promise<Provider> {
  return toProvider(await readProvider(db, name), withConfig);
}

/** The kind of a provider, or the kind with that name. @throws NotFound. */
export async function findKind(db: Database, name: string): Promise<ProviderKind> {
  const [row] = await db.query<{ kind: ProviderKind }>(
    sql`select kind from core.model_providers where name = ${name}`,
  );
  if (row) return row.kind;
  if (!isKind(name)) throw notFound(name);
  return name;
}

/** A provider with its secrets in plain text, for a call to it. @throws NotFound. */
export async function openProvider({ db, encryptionKey }: ProviderDeps, name: string) {
  const { kind, config } = await readProvider(db, name);
  return { name, kind, config: openConfig(kind, config, encryptionKey) };
}

/** @throws BadRequest for a config that its kind does not take, Conflict `provider_exists`. */
export async function createProvider(
  deps: ProviderDeps,
  provider: NewProvider,
): Promise<Provider> {
  const { name, kind, displayName = providerKinds[kind].displayName, enabled } = provider;
  const checked = checkConfig(kind, provider.config, undefined, deps.endpoints);
  const config = sealConfig(kind, checked, deps.encryptionKey);
  try {
    const [row] = await deps.db.query<Row>(sql`
      insert into core.model_providers (name, display_name, kind, enabled, config)
      values (${name}, ${displayName}, ${kind}, ${enabled}, ${jsonb(config)})
      returning ${PROVIDER}`);
    if (!row) throw notFound(name);
    return toProvider(row, true);
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    throw new Conflict(
      "provider_exists",
      `There is a provider "${name}" already. Change it, or choose another name.`,
      { params: { name } },
    );
  }
}

/**
 * A config from an administrator takes precedence over the environment from then on.
 * @throws NotFound, BadRequest.
 */
export async function changeProvider(
  deps: ProviderDeps,
  name: string,
  change: ProviderChange,
): Promise<Provider> {
  const { db } = deps;
  return db.tx(async () => {
    const before = await readProvider(db, name, true);
    const config = change.config ? sealChange(deps, before, change.config) : before.config;
    const hasConfig = change.config !== undefined;
    const [row] = await db.query<Row>(sql`
      update core.model_providers set
        display_name = ${change.displayName ?? before.displayName},
        enabled = ${change.enabled ?? before.enabled},
        config = ${jsonb(config)},
        available = available or ${hasConfig},
        from_environment = from_environment and ${!hasConfig},
        updated_at = now()
      where name = ${name} returning ${PROVIDER}`);
    if (!row) throw notFound(name);
    return toProvider(row, true);
  });
}

function sealChange(
  { encryptionKey, endpoints }: ProviderDeps,
  { kind, config: sealed }: Row,
  given: Record<string, unknown>,
): Record<string, unknown> {
  const stored = openConfig(kind, sealed, encryptionKey);
  return sealConfig(kind, checkConfig(kind, given, stored, endpoints), encryptionKey);
}

/** @throws NotFound; Conflict for a provider of the environment. */
export async function deleteProvider(db: Database, name: string): Promise<void> {
  await db.tx(async () => {
    if ((await readProvider(db, name, true)).fromEnvironment) throw fromEnvironment();
    await db.query(sql`delete from core.model_providers where name = ${name}`);
  });
}

async function readProvider(db: Database, name: string, forUpdate = false): Promise<Row> {
  const lock = forUpdate ? sql`for update` : sql``;
  const [row] = await db.query<Row>(
    sql`select ${PROVIDER} from core.model_providers where name = ${name} ${lock}`,
  );
  if (!row) throw notFound(name);
  return row;
}

function isKind(name: string): name is ProviderKind {
  return Object.hasOwn(providerKinds, name);
}

function notFound(name: string): NotFound {
  return new NotFound(
    "provider_not_found",
    `There is no provider "${name}". GET /api/v1/model-providers/all lists the providers.`,
    { params: { name } },
  );
}

function toProvider(row: Row, withConfig: boolean): Provider {
  return {
    ...row,
    config: withConfig ? maskConfig(row.kind, row.config) : {},
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

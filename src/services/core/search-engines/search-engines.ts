import { createHash } from "node:crypto";
import type { Cache } from "../../../platform/cache/cache.ts";
import type { Database } from "../../../platform/db/database.ts";
import type { Outgoing } from "../../../platform/outgoing/outgoing.ts";
import { isUuid } from "../../../platform/uuid.ts";
import { engineOf, ENGINES } from "../../web/contract-engine-kinds.ts";
import type { EngineState, EngineTest } from "../../web/contract.ts";
import { type WebEngines, webUnavailable } from "../web/web-client.ts";
import {
  type EngineChange,
  type NewEngine,
  SEARCH_ENGINES_CHANGED,
  type SearchEngine,
} from "./contract.ts";
import {
  checkEngineConfig,
  describeEngineConfig,
  maskEngineConfig,
  openEngineConfig,
  sealEngineConfig,
} from "./engine-config.ts";
import {
  type EngineRow,
  findEngine,
  insertEngine,
  orderEngines,
  readEngines,
  removeEngine,
  updateEngine,
} from "./store.ts";

export interface EngineDeps {
  db: Database;
  cache: Pick<Cache, "publish">;
  endpoints: Pick<Outgoing, "check">;
  encryptionKey: string;
  /** Absent when no web service has an address here. */
  web: WebEngines | undefined;
}

/** Those of the environment, then the others, each with what the web service knows of it. */
export async function listSearchEngines(
  { db, web }: EngineDeps,
  signal: AbortSignal,
): Promise<SearchEngine[]> {
  const [rows, asked] = await Promise.all([
    readEngines(db),
    web?.engines(signal).catch(() => []), // what is stored is listed without their state
  ]);
  const states = new Map((asked ?? []).map(({ id, state }) => [id, state]));
  const ofEnvironment = (asked ?? [])
    .filter(({ fromEnvironment }) => fromEnvironment)
    .map((engine) => ({ ...engine, enabled: true, config: {} }));
  return [...ofEnvironment, ...rows.map((row) => toAnswer(row, states.get(keyOf(row))))];
}

export function listEngineKinds() {
  return ENGINES.map(({ kind, title }) => ({
    kind,
    title,
    configSchema: describeEngineConfig(kind),
  }));
}

/** @throws BadRequest for a configuration that its kind does not take, and of `insertEngine`. */
export async function addSearchEngine(
  deps: EngineDeps,
  { kind, name = engineOf(kind).title, enabled, config }: NewEngine,
): Promise<SearchEngine> {
  const checked = checkEngineConfig(kind, config, undefined, deps.endpoints);
  const sealed = sealEngineConfig(kind, checked, deps.encryptionKey);
  const row = await insertEngine(deps.db, { kind, name, enabled, config: sealed });
  await announce(deps);
  return toAnswer(row, undefined);
}

/** @throws NotFound, BadRequest. */
export async function changeSearchEngine(
  deps: EngineDeps,
  id: string,
  change: EngineChange,
): Promise<SearchEngine> {
  const { db, endpoints, encryptionKey } = deps;
  const row = await db.tx(async () => {
    const before = await findEngine(db, id, "lock");
    const { kind } = before;
    const stored = openEngineConfig(kind, before.config, encryptionKey);
    const config = change.config
      ? checkEngineConfig(kind, change.config, stored, endpoints)
      : stored;
    return updateEngine(db, {
      id,
      name: change.name ?? before.name,
      enabled: change.enabled ?? before.enabled,
      config: sealEngineConfig(kind, config, encryptionKey),
    });
  });
  await announce(deps);
  return toAnswer(row, undefined);
}

/** @throws NotFound. */
export async function deleteSearchEngine(deps: EngineDeps, id: string): Promise<void> {
  await removeEngine(deps.db, id);
  await announce(deps);
}

/** @throws BadRequest `search_engines_differ`. */
export async function orderSearchEngines(
  deps: EngineDeps,
  ids: readonly string[],
): Promise<void> {
  await orderEngines(deps.db, ids);
  await announce(deps);
}

/** Searches by a saved engine, or one of the environment. @throws NotFound, Unavailable. */
export async function testSearchEngine(
  { db, encryptionKey, web }: EngineDeps,
  id: string,
  query: string,
  signal: AbortSignal,
): Promise<EngineTest> {
  if (!web) throw webUnavailable();
  if (!isUuid(id)) return web.testEngine({ engine: { id }, query }, signal);
  const { kind, name, config } = await findEngine(db, id);
  const opened = openEngineConfig(kind, config, encryptionKey);
  return web.testEngine({ engine: { kind, name, config: opened }, query }, signal);
}

interface Probe extends Pick<NewEngine, "kind" | "config"> {
  /** A saved engine, whose keys replace masked ones. */
  id?: string | undefined;
  query: string;
}

/** The same for a configuration that is not saved. @throws BadRequest, NotFound. */
export async function testNewSearchEngine(
  { db, endpoints, encryptionKey, web }: EngineDeps,
  { kind, config: given, id, query }: Probe,
  signal: AbortSignal,
): Promise<EngineTest> {
  if (!web) throw webUnavailable();
  const saved = id === undefined ? undefined : await findEngine(db, id);
  const stored =
    saved?.kind === kind ? openEngineConfig(kind, saved.config, encryptionKey) : undefined;
  const config = checkEngineConfig(kind, given, stored, endpoints);
  const name = saved?.name ?? engineOf(kind).title;
  return web.testEngine({ engine: { kind, name, config }, query }, signal);
}

/** The enabled ones with their keys, for the web service. */
export async function readStoredSearchEngines({
  db,
  encryptionKey,
}: Pick<EngineDeps, "db" | "encryptionKey">) {
  const rows = await readEngines(db);
  const engines = rows
    .filter(({ enabled }) => enabled)
    .map((row) => ({
      id: row.id,
      version: versionOf(row),
      kind: row.kind,
      name: row.name,
      config: openEngineConfig(row.kind, row.config, encryptionKey),
    }));
  return { engines };
}

/** The web service reads them again, in every process. */
async function announce({ cache, web }: EngineDeps): Promise<void> {
  web?.forget();
  await cache.publish(SEARCH_ENGINES_CHANGED, "");
}

/** By which the web service knows an engine. */
function keyOf(row: EngineRow): string {
  return `${row.id}.${versionOf(row)}`;
}

/** Two changes may have one time; keys are sealed differently each time. */
function versionOf({ updatedAt, name, enabled, config }: EngineRow): string {
  const row = JSON.stringify([updatedAt, name, enabled, config]);
  return createHash("sha256").update(row).digest("base64url");
}

function toAnswer(
  { id, kind, name, enabled, config }: EngineRow,
  state: EngineState = {},
): SearchEngine {
  const masked = maskEngineConfig(kind, config);
  return { id, kind, name, enabled, fromEnvironment: false, config: masked, state };
}

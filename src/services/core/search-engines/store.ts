import sql from "sql-template-tag";
import { uuidv7 } from "uuidv7";
import type { Database } from "../../../platform/db/database.ts";
import { insertWithinLimit } from "../../../platform/db/insert-within-limit.ts";
import { jsonb } from "../../../platform/db/jsonb.ts";
import { lockKeys } from "../../../platform/db/lock-keys.ts";
import { BadRequest, NotFound } from "../../../platform/http/errors.ts";
import { MAX_ENGINES } from "./contract.ts";
import type { EngineConfig } from "./engine-config.ts";

/** Keys in `config` are sealed. */
export interface EngineRow {
  id: string;
  kind: string;
  name: string;
  enabled: boolean;
  config: EngineConfig;
  updatedAt: Date;
}

const ENGINE = sql`id, kind, name, enabled, config, updated_at as "updatedAt"`;
const LOCK = "limit search engines";

/** In the order in which they are asked. There are few of them. */
export function readEngines(db: Database): Promise<EngineRow[]> {
  return db.query<EngineRow>(
    sql`select ${ENGINE} from core.search_engines order by position, id`,
  );
}

/** @throws NotFound `search_engine_not_found`. */
export async function findEngine(
  db: Database,
  id: string,
  lock: "lock" | "read" = "read",
): Promise<EngineRow> {
  const forUpdate = lock === "lock" ? sql`for update` : sql``;
  const [row] = await db.query<EngineRow>(
    sql`select ${ENGINE} from core.search_engines where id = ${id} ${forUpdate}`,
  );
  if (!row) throw notFound();
  return row;
}

/** Behind the others. @throws Conflict `too_many_search_engines`. */
export function insertEngine(
  db: Database,
  { kind, name, enabled, config }: Omit<EngineRow, "id" | "updatedAt">,
): Promise<EngineRow> {
  const limit = {
    key: "search engines",
    max: MAX_ENGINES,
    count: async () => (await readEngines(db)).length,
    code: "too_many_search_engines",
    message: `There may be ${MAX_ENGINES} search engines. Remove one that is not used.`,
  };
  return insertWithinLimit(db, limit, async () => {
    const [row] = await db.query<EngineRow>(sql`
      insert into core.search_engines (id, kind, name, enabled, config, position)
      values (${uuidv7()}, ${kind}, ${name}, ${enabled}, ${jsonb(config)},
        (select coalesce(max(position) + 1, 0) from core.search_engines))
      returning ${ENGINE}`);
    if (!row) throw notFound();
    return row;
  });
}

/** @throws NotFound `search_engine_not_found`. */
export async function updateEngine(
  db: Database,
  { id, name, enabled, config }: Omit<EngineRow, "kind" | "updatedAt">,
): Promise<EngineRow> {
  const [row] = await db.query<EngineRow>(sql`
    update core.search_engines
    set name = ${name}, enabled = ${enabled}, config = ${jsonb(config)},
      updated_at = clock_timestamp()
    where id = ${id} returning ${ENGINE}`);
  if (!row) throw notFound();
  return row;
}

/** @throws NotFound `search_engine_not_found`. */
export async function removeEngine(db: Database, id: string): Promise<void> {
  const gone = await db.query(
    sql`delete from core.search_engines where id = ${id} returning id`,
  );
  if (gone.length === 0) throw notFound();
}

/** @throws BadRequest `search_engines_differ` unless each engine is named once. */
export async function orderEngines(db: Database, ids: readonly string[]): Promise<void> {
  await db.tx(async () => {
    await lockKeys(db, [LOCK]);
    const known = new Set((await readEngines(db)).map(({ id }) => id));
    if (ids.length !== known.size || !known.isSubsetOf(new Set(ids)))
      throw new BadRequest(
        "search_engines_differ",
        "These are not the search engines that there are now. Read the list again.",
      );
    for (const [position, id] of ids.entries())
      await db.query(
        sql`update core.search_engines set position = ${position} where id = ${id}`,
      );
  });
}

function notFound(): NotFound {
  return new NotFound(
    "search_engine_not_found",
    "There is no such search engine. GET /api/v1/search-engines lists them.",
  );
}

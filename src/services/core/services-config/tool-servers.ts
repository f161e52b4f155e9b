import sql from "sql-template-tag";
import { openSecret, sealSecret } from "../../../platform/auth/secrets.ts";
import { jsonb } from "../../../platform/db/jsonb.ts";
import type { Database } from "../../../platform/db/database.ts";
import { isUniqueViolation } from "../../../platform/db/errors.ts";
import { Conflict, NotFound } from "../../../platform/http/errors.ts";
import type { ToolServer } from "../../tool-gateway/contract.ts";

interface Row {
  name: string;
  url: string;
  settings: Record<string, unknown>;
  headers: string | null;
  enabled: boolean;
}

const COLUMNS = sql`name, url, settings, headers, enabled`;

/**
 * Every tool server, in the order of registration, which decides who keeps a name. Headers in
 * clear.
 */
export async function readToolServers(db: Database, encryptionKey: string): Promise<ToolServer[]> {
  const rows = await db.query<Row>(
    sql`select ${COLUMNS} from core.mcp_servers order by created_at, name`,
  );
  return rows.map((row) => entryOf(row, encryptionKey));
}

export async function listToolServers(
  db: Database,
  encryptionKey: string,
  limit: number,
  offset: number,
): Promise<{ items: ToolServer[]; total: number }> {
  const rows = await db.query<Row>(
    sql`select ${COLUMNS} from core.mcp_servers order by created_at, name limit ${limit} offset ${offset}`,
  );
  const [count] = await db.query<{ total: number }>(
    sql`select count(*)::int as total from core.mcp_servers`,
  );
  return { items: rows.map((row) => entryOf(row, encryptionKey)), total: count?.total ?? 0 };
}

/** @throws Conflict `tool_server_exists`. */
export async function createToolServer(
  db: Database,
  entry: ToolServer,
  encryptionKey: string,
): Promise<ToolServer> {
  const { name, url, enabled, settings, headers } = rowOf(entry, encryptionKey);
  try {
    await db.query(
      sql`insert into core.mcp_servers (name, url, settings, headers, enabled) values (${name}, ${url}, ${jsonb(settings)}, ${headers}, ${enabled})`,
    );
  } catch (error) {
    throw isUniqueViolation(error)
      ? new Conflict(
          "tool_server_exists",
          `There is a tool server "${name}" already. Change it, or choose another name.`,
        )
      : error;
  }
  return entry;
}

/**
 * Headers that are not given stay, but not at another address: a key goes only to where it was
 * meant to go (security row 11).
 */
export async function changeToolServer(
  db: Database,
  name: string,
  entry: ToolServer,
  encryptionKey: string,
): Promise<ToolServer> {
  const { url, enabled, settings, headers } = rowOf(entry, encryptionKey);
  const rows =
    await db.query<Row>(sql`update core.mcp_servers set url = ${url}, settings = ${jsonb(settings)}, enabled = ${enabled}, updated_at = now(),
    headers = case when ${headers}::text is null and url = ${url} then headers else ${headers} end where name = ${name} returning ${COLUMNS}`);
  const [row] = rows;
  if (!row) throw new NotFound("tool_server_not_found", `There is no tool server "${name}".`);
  return entryOf(row, encryptionKey);
}

export async function deleteToolServer(db: Database, name: string): Promise<void> {
  const gone = await db.query(
    sql`delete from core.mcp_servers where name = ${name} returning name`,
  );
  if (gone.length === 0)
    throw new NotFound("tool_server_not_found", `There is no tool server "${name}".`);
}

/** Those that the environment names, added once. */
export async function seedToolServers(
  db: Database,
  servers: readonly ToolServer[],
  encryptionKey: string,
): Promise<void> {
  for (const server of servers) {
    await createToolServer(db, server, encryptionKey).catch((error: unknown) => {
      if (!(error instanceof Conflict)) throw error;
    });
  }
}

function rowOf({ name, url, headers, enabled, ...settings }: ToolServer, key: string) {
  return {
    name,
    url,
    enabled,
    settings,
    headers: headers ? sealSecret(JSON.stringify(headers), key) : null,
  };
}

function entryOf({ name, url, settings, headers, enabled }: Row, key: string): ToolServer {
  // sealed by rowOf from a record of strings
  const opened =
    headers === null ? undefined : (JSON.parse(openSecret(headers, key)) as Record<string, string>);
  return { ...settings, name, url, enabled, ...(opened && { headers: opened }) };
}

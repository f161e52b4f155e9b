import sql from "sql-template-tag";
import { openSecret, sealSecret } from "../../../platform/auth/secrets.ts";
import { jsonb } from "../../../platform/db/jsonb.ts";
import type { Database } from "../../../platform/db/database.ts";
import { isUniqueViolation } from "../../../platform/db/errors.ts";
import { Conflict, NotFound } from "../../../platform/http/errors.ts";
import { ToolServer } from "../../tool-gateway/contract.ts";

interface Row {
  name: string;
  url: string;
  settings: Record<string, unknown>;
  headers: string | null;
  clientSecret: string | null;
  enabled: boolean;
  registeredAt: Date;
}

const COLUMNS = sql`name, url, settings, headers, client_secret as "clientSecret", enabled,
  created_at as "registeredAt"`;

/**
 * Every tool server with its headers in plain text. The order of registration decides which server
 * keeps a name.
 */
export async function readToolServers(
  db: Database,
  encryptionKey: string,
): Promise<ToolServer[]> {
  const rows = await db.query<Row>(
    sql`select ${COLUMNS} from core.mcp_servers order by position`,
  );
  return rows.map((row) => toToolServer(row, encryptionKey));
}

export async function listToolServers(
  db: Database,
  encryptionKey: string,
  limit: number,
  offset: number,
): Promise<{ items: ToolServer[]; total: number }> {
  const rows = await db.query<Row>(
    sql`select ${COLUMNS} from core.mcp_servers
      order by position limit ${limit} offset ${offset}`,
  );
  const [count] = await db.query<{ total: number }>(
    sql`select count(*)::int as total from core.mcp_servers`,
  );
  return {
    items: rows.map((row) => toToolServer(row, encryptionKey)),
    total: count?.total ?? 0,
  };
}

/** @throws Conflict `tool_server_exists`. */
export async function createToolServer(
  db: Database,
  entry: ToolServer,
  encryptionKey: string,
): Promise<ToolServer> {
  const { name, url, enabled, settings, headers, clientSecret } = toRow(
    entry,
    encryptionKey,
  );
  try {
    const [row] = await db.query<Row>(sql`
      insert into core.mcp_servers (name, url, settings, headers, client_secret, enabled)
      values (${name}, ${url}, ${jsonb(settings)}, ${headers}, ${clientSecret}, ${enabled})
      returning ${COLUMNS}`);
    if (row) return toToolServer(row, encryptionKey);
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    throw new Conflict(
      "tool_server_exists",
      `There is a tool server "${name}" already. Change it, or choose another name.`,
      { params: { name } },
    );
  }
  return entry;
}

/**
 * Headers that are absent stay, unless the address changes: a key is sent only to the address that
 * it was stored for. So does the secret of a client, unless the client or its issuer
 * changes.
 * @throws NotFound `tool_server_not_found`.
 */
export async function changeToolServer(
  db: Database,
  name: string,
  entry: ToolServer,
  encryptionKey: string,
): Promise<ToolServer> {
  const { url, enabled, settings, headers, clientSecret } = toRow(entry, encryptionKey);
  const { clientId = null, issuer = null } = entry.oauth ?? {};
  const [row] = await db.query<Row>(sql`
    update core.mcp_servers set url = ${url}, settings = ${jsonb(settings)}, enabled = ${enabled},
      headers = case when ${headers}::text is null and url = ${url} then headers
        else ${headers} end,
      client_secret = case when ${clientSecret}::text is null and url = ${url}
        and settings->'oauth'->>'clientId' = ${clientId}
        and settings->'oauth'->>'issuer' is not distinct from ${issuer}::text
        then client_secret
        else ${clientSecret} end,
      updated_at = now()
    where name = ${name} returning ${COLUMNS}`);
  if (!row) throw notFound(name);
  return toToolServer(row, encryptionKey);
}

/** What users allowed its tools does not hold for another server of the name. */
export async function deleteToolServer(db: Database, name: string): Promise<void> {
  await db.tx(async () => {
    const deleted = await db.query(
      sql`delete from core.mcp_servers where name = ${name} returning name`,
    );
    if (deleted.length === 0) throw notFound(name);
    await db.query(sql`delete from core.allowed_tools where server = ${name}`);
  });
}

/**
 * Adds the tool servers of the environment that are not registered yet. Who sets the environment
 * trusts them, unless it says otherwise.
 */
export async function seedToolServers(
  db: Database,
  servers: readonly ToolServer[],
  encryptionKey: string,
): Promise<void> {
  for (const server of servers) {
    const entry = { trusted: true, ...server };
    await createToolServer(db, entry, encryptionKey).catch((error: unknown) => {
      if (!(error instanceof Conflict)) throw error;
    });
  }
}

function toRow(
  { name, url, headers, enabled, registeredAt: _, oauth, ...settings }: ToolServer,
  key: string,
) {
  const { clientSecret, ...publicOauth } = oauth ?? {};
  return {
    name,
    url,
    enabled,
    settings: oauth ? { ...settings, oauth: publicOauth } : settings,
    headers: headers ? sealSecret(JSON.stringify(headers), key) : null,
    clientSecret: clientSecret === undefined ? null : sealSecret(clientSecret, key),
  };
}

function toToolServer(
  { settings, headers, clientSecret: sealed, registeredAt, ...row }: Row,
  key: string,
): ToolServer {
  // others were stored before they were refused, and may hold secrets
  const known = Object.entries(settings).filter(([key]) =>
    Object.hasOwn(ToolServer.shape, key),
  );
  const stored = {
    ...Object.fromEntries(known),
    ...row,
    registeredAt: registeredAt.toISOString(),
  };
  const entry: ToolServer =
    sealed === null ? stored : withSecret(stored, openSecret(sealed, key));
  if (headers === null) return entry;
  // toRow sealed a record of strings
  const opened = JSON.parse(openSecret(headers, key)) as Record<string, string>;
  return { ...entry, headers: opened };
}

function withSecret(entry: ToolServer, clientSecret: string): ToolServer {
  return { ...entry, oauth: { ...entry.oauth, clientSecret } };
}

function notFound(name: string): NotFound {
  return new NotFound(
    "tool_server_not_found",
    `There is no tool server "${name}". GET /api/v1/mcp-servers lists them.`,
    { params: { name } },
  );
}

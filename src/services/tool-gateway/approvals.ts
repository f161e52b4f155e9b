import { createHash } from "node:crypto";
import sql from "sql-template-tag";
import { jsonb } from "../../platform/db/jsonb.ts";
import type { Database } from "../../platform/db/database.ts";
import type { ToolServer } from "./contract.ts";
import type { RemoteTool } from "./read-tools.ts";
import { isRecord } from "../../platform/json/is-record.ts";

type Definition = Omit<RemoteTool, "name" | "extras">;

/** A tool that is new, or differs from what was approved. */
export interface WithheldTool {
  server: string;
  tool: RemoteTool;
  fingerprint: string;
  /** Undefined for a new tool. */
  approved: Definition | undefined;
}

/** Lists are compared after each change of another list, so fingerprints are kept. */
const fingerprints = new WeakMap<RemoteTool, string>();

/**
 * A hash of everything that a tool says about itself to models and people. A server that changes
 * it after approval may do so to harm ("rug pull").
 */
export function fingerprint(tool: RemoteTool): string {
  const known = fingerprints.get(tool);
  if (known !== undefined) return known;
  const { extras: _extras, ...definition } = tool;
  const text = JSON.stringify(definition, (_, value: unknown) => sortKeys(value));
  const hash = createHash("sha256").update(text).digest("hex");
  fingerprints.set(tool, hash);
  return hash;
}

/**
 * The tools of a server that may not be offered, by name. The first list of a server is approved
 * with its registration, which somebody decided upon; later, new tools are approved only of a
 * trusted server, and changed ones of none: a server may say that a tool only reads in order to run
 * unasked.
 */
export async function findWithheld(
  db: Database,
  server: ToolServer,
  tools: readonly RemoteTool[],
): Promise<Map<string, WithheldTool>> {
  const { name: of, trusted = false } = server;
  if (tools.length > 0) await approveFirstList(db, server, tools);
  if (trusted) await approveNewTools(db, of, tools);
  const approved = await readApproved(db, of);
  const withheld = tools
    .map((tool) => ({ server: of, tool, fingerprint: fingerprint(tool) }))
    .filter((one) => approved.get(one.tool.name) !== one.fingerprint);
  if (withheld.length === 0) return new Map();
  const names = withheld.map(({ tool }) => tool.name);
  const rows = await db.query<{ name: string; definition: Definition }>(sql`
    select name, definition from tool_gateway.approved_tools
    where server = ${of} and name = any(${names}::text[])`);
  const definitions = new Map(rows.map(({ name, definition }) => [name, definition]));
  return new Map(
    withheld.map((one) => [
      one.tool.name,
      { ...one, approved: definitions.get(one.tool.name) },
    ]),
  );
}

/** Once a server: what was decided about an earlier server of the name is forgotten. */
async function approveFirstList(
  db: Database,
  { name, registeredAt: since }: ToolServer,
  tools: readonly RemoteTool[],
): Promise<void> {
  const registeredAt = since ?? null;
  const [known] = await db.query<{ isSame: boolean }>(sql`
    select registered_at is not distinct from ${registeredAt}::timestamptz as "isSame"
    from tool_gateway.known_servers where server = ${name}`);
  if (known?.isSame) return;
  await db.tx(async () => {
    // before servers said when they were registered, and where none says it
    await db.query(sql`update tool_gateway.known_servers set registered_at = ${registeredAt}
      where server = ${name} and registered_at is null`);
    // a replica that still has the earlier server of the name changes nothing
    const first = await db.query(sql`
      insert into tool_gateway.known_servers as known (server, registered_at)
      values (${name}, ${registeredAt})
      on conflict (server) do update set registered_at = excluded.registered_at
        where known.registered_at < excluded.registered_at
      returning server`);
    if (first.length === 0) return;
    await db.query(sql`delete from tool_gateway.approved_tools where server = ${name}`);
    await db.query(sql`delete from tool_gateway.tool_effects where server = ${name}`);
    await db.query(sql`delete from tool_gateway.connections
      where server = ${name} and connected_at < ${registeredAt}::timestamptz`);
    await db.query(sql`delete from tool_gateway.user_values
      where server = ${name} and filled_at < ${registeredAt}::timestamptz`);
    await db.query(sql`delete from tool_gateway.registered_clients
      where server = ${name} and registered_at < ${registeredAt}::timestamptz`);
    await db.query(sql`delete from tool_gateway.pinned_issuers
      where server = ${name} and pinned_at < ${registeredAt}::timestamptz`);
    await approveNewTools(db, name, tools);
  });
}

async function approveNewTools(
  db: Database,
  server: string,
  tools: readonly RemoteTool[],
): Promise<void> {
  const approved = await readApproved(db, server);
  const unseen = tools
    .filter(({ name }) => !approved.has(name))
    .map((tool) => {
      const { name, extras: _, ...definition } = tool;
      return { name, fingerprint: fingerprint(tool), definition };
    });
  if (unseen.length === 0) return;
  // another replica may have seen another version first
  await db.query(sql`
    insert into tool_gateway.approved_tools (server, name, fingerprint, definition)
    select ${server}, name, fingerprint, definition
    from jsonb_to_recordset(${jsonb(unseen)})
      as seen (name text, fingerprint text, definition jsonb)
    on conflict do nothing`);
}

/** Fingerprints by name. */
async function readApproved(db: Database, server: string): Promise<Map<string, string>> {
  const rows = await db.query<{ name: string; fingerprint: string }>(
    sql`select name, fingerprint from tool_gateway.approved_tools where server = ${server}`,
  );
  return new Map(rows.map(({ name, fingerprint: known }) => [name, known]));
}

/**
 * Names of all approved tools of a server. They stay reserved for it until it answers.
 */
export async function knownTools(db: Database, server: string): Promise<string[]> {
  return [...(await readApproved(db, server)).keys()];
}

export async function approveTool(
  db: Database,
  { server, tool: { name, extras: _, ...definition }, fingerprint: approved }: WithheldTool,
): Promise<void> {
  await db.query(sql`
    insert into tool_gateway.approved_tools (server, name, fingerprint, definition)
    values (${server}, ${name}, ${approved}, ${jsonb(definition)})
    on conflict (server, name) do update set fingerprint = excluded.fingerprint,
      definition = excluded.definition, approved_at = now()`);
}

function sortKeys(value: unknown): unknown {
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

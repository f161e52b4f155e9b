import { createHash } from "node:crypto";
import sql from "sql-template-tag";
import { jsonb } from "../../platform/db/jsonb.ts";
import type { Database } from "../../platform/db/database.ts";
import type { RemoteTool } from "./read-tools.ts";
import { isRecord } from "../../platform/json/is-record.ts";

type Definition = Omit<RemoteTool, "name">;

/** A tool that differs from what was approved. */
export interface WithheldTool {
  server: string;
  tool: RemoteTool;
  fingerprint: string;
  approved: Definition;
}

const EMPTY: Definition = { description: "", inputSchema: {} };

/** Lists are compared after each change of another list, so fingerprints are kept. */
const fingerprints = new WeakMap<RemoteTool, string>();

/**
 * A hash of everything that a tool says about itself. A server that changes it after approval may
 * do so to harm ("rug pull").
 */
export function fingerprint(tool: RemoteTool): string {
  const known = fingerprints.get(tool);
  if (known !== undefined) return known;
  const text = JSON.stringify(tool, (_, value: unknown) => sortKeys(value));
  const hash = createHash("sha256").update(text).digest("hex");
  fingerprints.set(tool, hash);
  return hash;
}

/**
 * The tools of a server that may not be offered, by name. A tool is approved when it is first seen,
 * and withheld when it changes afterwards.
 */
export async function findWithheld(
  db: Database,
  server: string,
  tools: readonly RemoteTool[],
): Promise<Map<string, WithheldTool>> {
  const approved = await approveNewTools(db, server, tools);
  const changed = tools
    .map((tool) => ({ server, tool, fingerprint: fingerprint(tool) }))
    .filter((one) => approved.get(one.tool.name) !== one.fingerprint);
  if (changed.length === 0) return new Map();
  const names = changed.map(({ tool }) => tool.name);
  const rows = await db.query<{ name: string; definition: Definition }>(sql`
    select name, definition from tool_gateway.approved_tools
    where server = ${server} and name = any(${names}::text[])`);
  const definitions = new Map(rows.map(({ name, definition }) => [name, definition]));
  return new Map(
    changed.map((one) => {
      const { name } = one.tool;
      return [name, { ...one, approved: definitions.get(name) ?? EMPTY }];
    }),
  );
}

/** @returns the fingerprints of all approved tools of the server, by name. */
async function approveNewTools(
  db: Database,
  server: string,
  tools: readonly RemoteTool[],
): Promise<Map<string, string>> {
  const approved = await readApproved(db, server);
  const unseen = tools
    .filter(({ name }) => !approved.has(name))
    .map((tool) => {
      const { name, ...definition } = tool;
      return { name, fingerprint: fingerprint(tool), definition };
    });
  if (unseen.length === 0) return approved;
  await db.query(sql`
    insert into tool_gateway.approved_tools (server, name, fingerprint, definition)
    select ${server}, name, fingerprint, definition
    from jsonb_to_recordset(${jsonb(unseen)})
      as seen (name text, fingerprint text, definition jsonb)
    on conflict do nothing`);
  // another replica may have seen another version first
  return readApproved(db, server);
}

/** Fingerprints by name. */
async function readApproved(db: Database, server: string): Promise<Map<string, string>> {
  const rows = await db.query<{ name: string; fingerprint: string }>(
    sql`select name, fingerprint from tool_gateway.approved_tools where server = ${server}`,
  );
  return new Map(rows.map(({ name, fingerprint: known }) => [name, known]));
}

/**
 * Names of all tools that a server was ever seen with. They stay reserved for it until it answers.
 */
export async function knownTools(db: Database, server: string): Promise<string[]> {
  return [...(await readApproved(db, server)).keys()];
}

export async function approveTool(
  db: Database,
  { server, tool: { name, ...definition }, fingerprint: approved }: WithheldTool,
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

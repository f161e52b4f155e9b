import { createHash } from "node:crypto";
import sql from "sql-template-tag";
import { jsonb } from "../../platform/db/jsonb.ts";
import type { Database } from "../../platform/db/database.ts";
import type { RemoteTool } from "./read-tools.ts";

/** A tool that is not what was approved, and what that was. */
export interface WithheldTool {
  server: string;
  tool: RemoteTool;
  fingerprint: string;
  approved: Omit<RemoteTool, "name">;
}

/**
 * All that a tool tells a model and us about itself, as one hash. A server that changes it after
 * approval may mean harm ("rug pull").
 */
export function fingerprint(tool: RemoteTool): string {
  const known = fingerprints.get(tool);
  if (known !== undefined) return known;
  const made = createHash("sha256")
    .update(JSON.stringify(tool, (_, value: unknown) => inOrder(value)))
    .digest("hex");
  fingerprints.set(tool, made);
  return made;
}

/** A list that was read stays as it is, and is looked at again at each change of another one. */
const fingerprints = new WeakMap<RemoteTool, string>();

/**
 * Those of a server's tools that may not be offered, by name: a tool is approved when it is first
 * seen, and withheld once it differs from then. Source: security row 22.
 */
export async function withheldOf(
  db: Database,
  server: string,
  tools: readonly RemoteTool[],
): Promise<Map<string, WithheldTool>> {
  const seen = tools.map((tool) => {
    const { name, ...definition } = tool;
    return { name, fingerprint: fingerprint(tool), definition };
  });
  let approved = await approvedOf(db, server);
  const unseen = seen.filter(({ name }) => !approved.has(name));
  if (unseen.length > 0) {
    await db.query(sql`insert into tool_gateway.approved_tools (server, name, fingerprint, definition)
      select ${server}, name, fingerprint, definition
      from jsonb_to_recordset(${jsonb(unseen)}) as seen (name text, fingerprint text, definition jsonb) on conflict do nothing`);
    // another replica may have seen it first, and otherwise
    approved = await approvedOf(db, server);
  }
  const changed = tools
    .map((tool) => ({ server, tool, fingerprint: fingerprint(tool) }))
    .filter((one) => approved.get(one.tool.name) !== one.fingerprint);
  if (changed.length === 0) return new Map();
  const before = await db.query<{ name: string; definition: Omit<RemoteTool, "name"> }>(
    sql`select name, definition from tool_gateway.approved_tools
      where server = ${server} and name = any(${changed.map(({ tool }) => tool.name)}::text[])`,
  );
  const definitions = new Map(before.map(({ name, definition }) => [name, definition]));
  return new Map(
    changed.map((one) => [
      one.tool.name,
      { ...one, approved: definitions.get(one.tool.name) ?? { description: "", inputSchema: {} } },
    ]),
  );
}

/** Fingerprints of a server's approved tools, by name. */
async function approvedOf(db: Database, server: string): Promise<Map<string, string>> {
  const rows = await db.query<{ name: string; fingerprint: string }>(
    sql`select name, fingerprint from tool_gateway.approved_tools where server = ${server}`,
  );
  return new Map(rows.map(({ name, fingerprint: known }) => [name, known]));
}

/**
 * Names of the tools that a server was ever seen with: they stay its own while it has not been
 * heard.
 */
export async function knownTools(db: Database, server: string): Promise<string[]> {
  const rows = await db.query<{ name: string }>(
    sql`select name from tool_gateway.approved_tools where server = ${server}`,
  );
  return rows.map(({ name }) => name);
}

export async function approve(
  db: Database,
  { server, tool: { name, ...definition }, fingerprint }: WithheldTool,
): Promise<void> {
  await db.query(sql`insert into tool_gateway.approved_tools (server, name, fingerprint, definition)
    values (${server}, ${name}, ${fingerprint}, ${jsonb(definition)})
    on conflict (server, name) do update set fingerprint = excluded.fingerprint, definition = excluded.definition, approved_at = now()`);
}

function inOrder(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

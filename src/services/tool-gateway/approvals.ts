import { createHash } from "node:crypto";
import sql from "sql-template-tag";
import { jsonb } from "../../platform/db/jsonb.ts";
import type { Database } from "../../platform/db/database.ts";
import type { RemoteTool } from "./read-tools.ts";

/** All that a tool tells a model and us about itself, as one hash. A server that changes it after approval may mean harm ("rug pull"). */
export function fingerprint({ name, description, inputSchema, annotations, title, outputSchema }: RemoteTool): string {
  return createHash("sha256")
    .update(JSON.stringify([name, description, inputSchema, annotations, title, outputSchema]))
    .digest("hex");
}

/**
 * Which tools of a server may be offered: a tool is approved when it is first seen, and withheld once it differs from then.
 * Source: security row 22.
 */
export async function approvedOf(
  db: Database,
  server: string,
  tools: readonly RemoteTool[],
): Promise<(tool: RemoteTool) => boolean> {
  const seen = tools.map((tool) => ({ name: tool.name, fingerprint: fingerprint(tool) }));
  await db.query(sql`insert into tool_gateway.approved_tools (server, name, fingerprint)
    select ${server}, name, fingerprint from jsonb_to_recordset(${jsonb(seen)}) as seen (name text, fingerprint text) on conflict do nothing`);
  const rows = await db.query<{ name: string; fingerprint: string }>(
    sql`select name, fingerprint from tool_gateway.approved_tools where server = ${server}`,
  );
  const approved = new Map(rows.map((row) => [row.name, row.fingerprint]));
  return (tool) => approved.get(tool.name) === fingerprint(tool);
}

/** Names of the tools that a server was ever seen with: they stay its own while it has not been heard. */
export async function knownTools(db: Database, server: string): Promise<string[]> {
  const rows = await db.query<{ name: string }>(sql`select name from tool_gateway.approved_tools where server = ${server}`);
  return rows.map(({ name }) => name);
}

export async function approve(db: Database, server: string, tool: RemoteTool): Promise<void> {
  await db.query(sql`insert into tool_gateway.approved_tools (server, name, fingerprint) values (${server}, ${tool.name}, ${fingerprint(tool)})
    on conflict (server, name) do update set fingerprint = excluded.fingerprint, approved_at = now()`);
}

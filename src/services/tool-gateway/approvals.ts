import { createHash } from "node:crypto";
import sql from "sql-template-tag";
import type { Database } from "../../platform/db/database.ts";
import type { RemoteTool } from "./session.ts";

/** What a tool tells a model about itself, as one hash. A server that changes it after approval may mean harm ("rug pull"). */
export function fingerprint({ name, description, inputSchema }: RemoteTool): string {
  return createHash("sha256")
    .update(JSON.stringify([name, description, inputSchema]))
    .digest("hex");
}

/**
 * The tools of a server that may be offered: a tool is approved when it is first seen, and withheld once it differs from then.
 * Source: security row 22.
 */
export async function splitByApproval(
  db: Database,
  server: string,
  tools: RemoteTool[],
): Promise<{ offered: RemoteTool[]; withheld: RemoteTool[] }> {
  if (tools.length === 0) return { offered: [], withheld: [] };
  const seen = JSON.stringify(tools.map((tool) => ({ name: tool.name, fingerprint: fingerprint(tool) })));
  await db.query(sql`insert into tool_gateway.approved_tools (server, name, fingerprint)
    select ${server}, name, fingerprint from jsonb_to_recordset(${seen}::jsonb) as seen (name text, fingerprint text) on conflict do nothing`);
  const rows = await db.query<{ name: string; fingerprint: string }>(
    sql`select name, fingerprint from tool_gateway.approved_tools where server = ${server}`,
  );
  const approved = new Map(rows.map((row) => [row.name, row.fingerprint]));
  const isApproved = (tool: RemoteTool) => approved.get(tool.name) === fingerprint(tool);
  return { offered: tools.filter(isApproved), withheld: tools.filter((tool) => !isApproved(tool)) };
}

export async function approve(db: Database, server: string, tool: RemoteTool): Promise<void> {
  await db.query(sql`insert into tool_gateway.approved_tools (server, name, fingerprint) values (${server}, ${tool.name}, ${fingerprint(tool)})
    on conflict (server, name) do update set fingerprint = excluded.fingerprint, approved_at = now()`);
}

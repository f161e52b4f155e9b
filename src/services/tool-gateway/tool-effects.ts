import sql from "sql-template-tag";
import type { Database } from "../../platform/db/database.ts";
import type { ListedTool, ToolEffect } from "./contract.ts";

/** How far a tool's effect goes, and who says so. */
export type KnownEffect = Required<Pick<ListedTool, "effect" | "effectBy">>;

interface SetEffect {
  server: string;
  name: string;
  effect: ToolEffect;
  /** Of the tool as it was classified. */
  fingerprint: string;
  setBy: string;
}

/**
 * What a tool does by its own annotations. One that says nothing counts as destructive.
 * Source: Model Context Protocol, ToolAnnotations: `readOnlyHint` is false by default and
 * `destructiveHint`, which counts only when the tool is not read-only, is true by default.
 */
export function effectOf(annotations: ListedTool["annotations"]): KnownEffect {
  if (annotations?.readOnlyHint === true) return { effect: "read_only", effectBy: "server" };
  if (annotations?.destructiveHint === false) return { effect: "additive", effectBy: "server" };
  const said =
    annotations?.destructiveHint !== undefined || annotations?.readOnlyHint !== undefined;
  return { effect: "destructive", effectBy: said ? "server" : "default" };
}

/** What administrators say of a server's tools: by the tool's own name. */
export async function readEffects(
  db: Database,
  server: string,
): Promise<Map<string, Pick<SetEffect, "effect" | "fingerprint">>> {
  const rows = await db.query<Pick<SetEffect, "name" | "effect" | "fingerprint">>(
    sql`select name, effect, fingerprint from tool_gateway.tool_effects where server = ${server}`,
  );
  return new Map(rows.map((row) => [row.name, row]));
}

export async function saveEffect(db: Database, one: SetEffect): Promise<void> {
  const { server, name, effect, fingerprint, setBy } = one;
  await db.query(sql`
    insert into tool_gateway.tool_effects (server, name, effect, fingerprint, set_by)
    values (${server}, ${name}, ${effect}, ${fingerprint}, ${setBy})
    on conflict (server, name) do update set effect = excluded.effect,
      fingerprint = excluded.fingerprint, set_by = excluded.set_by, set_at = now()`);
}

/** From now on the tool's own annotations count. */
export async function removeEffect(db: Database, server: string, name: string): Promise<void> {
  await db.query(
    sql`delete from tool_gateway.tool_effects where server = ${server} and name = ${name}`,
  );
}

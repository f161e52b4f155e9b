import sql from "sql-template-tag";
import type { Database } from "../../platform/db/database.ts";
import type { ListedTool, ToolEffect, ToolServer } from "./contract.ts";

/** The effect of a tool, and who determined it. */
export type KnownEffect = Required<Pick<ListedTool, "effect" | "effectBy">>;

export interface SetEffect {
  server: string;
  name: string;
  effect: ToolEffect;
  /** Of the tool when it was classified. */
  fingerprint: string;
  setBy: string;
}

/**
 * The effect by the tool's own annotations. A tool without annotations counts as destructive.
 * Source: Model Context Protocol, ToolAnnotations: `readOnlyHint` is false by default.
 * `destructiveHint` is true by default, and applies only to tools that are not read-only.
 */
export function effectOf(annotations: ListedTool["annotations"]): KnownEffect {
  if (annotations?.readOnlyHint === true)
    return { effect: "read_only", effectBy: "server" };
  if (annotations?.destructiveHint === false)
    return { effect: "additive", effectBy: "server" };
  const isAnnotated =
    annotations?.destructiveHint !== undefined || annotations?.readOnlyHint !== undefined;
  return { effect: "destructive", effectBy: isAnnotated ? "server" : "default" };
}

/**
 * What a server says of its tool, as far as it is believed. A server that somebody else runs is
 * outside of the installation: its word that a tool stays inside counts only where an administrator
 * trusts it, since labels let such calls pass.
 */
export function believedHints(
  { trusted = false }: Pick<ToolServer, "trusted">,
  annotations: ListedTool["annotations"],
): ListedTool["annotations"] {
  if (trusted || annotations?.openWorldHint !== false) return annotations;
  const { openWorldHint: _, ...believed } = annotations;
  return believed;
}

/** The effects that administrators set for tools of a server, by the server's name of the tool. */
export async function readEffects(
  db: Database,
  server: string,
): Promise<Map<string, Pick<SetEffect, "effect" | "fingerprint">>> {
  const rows = await db.query<Pick<SetEffect, "name" | "effect" | "fingerprint">>(
    sql`select name, effect, fingerprint from tool_gateway.tool_effects where server = ${server}`,
  );
  return new Map(rows.map((row) => [row.name, row]));
}

export async function saveEffect(db: Database, change: SetEffect): Promise<void> {
  const { server, name, effect, fingerprint, setBy } = change;
  await db.query(sql`
    insert into tool_gateway.tool_effects (server, name, effect, fingerprint, set_by)
    values (${server}, ${name}, ${effect}, ${fingerprint}, ${setBy})
    on conflict (server, name) do update set effect = excluded.effect,
      fingerprint = excluded.fingerprint, set_by = excluded.set_by, set_at = now()`);
}

/** Then the tool's own annotations apply again. */
export async function removeEffect(
  db: Database,
  server: string,
  name: string,
): Promise<void> {
  await db.query(
    sql`delete from tool_gateway.tool_effects where server = ${server} and name = ${name}`,
  );
}

import type { Database } from "../../platform/db/database.ts";
import type { Logger } from "../../platform/telemetry/log.ts";
import { findWithheld, fingerprint, knownTools, type WithheldTool } from "./approvals.ts";
import type { RemoteTool } from "./read-tools.ts";
import { Registry } from "./registry.ts";
import type { Session } from "./session.ts";
import { effectOf, readEffects, type SetEffect } from "./tool-effects.ts";

/** The tools that are offered, and those that are withheld. */
export interface ToolList {
  registry: Registry;
  withheld: WithheldTool[];
}

/** Makes the list of tools from the sessions, in the order of configuration. */
export async function buildToolList(
  db: Database,
  sessions: readonly Session[],
): Promise<ToolList> {
  const registry = new Registry();
  const withheld: WithheldTool[] = [];
  for (const session of sessions) {
    const { server, tools } = session;
    if (!tools) {
      for (const name of await knownTools(db, server.name)) registry.reserve(server, name);
      continue;
    }
    const kept = await findWithheld(db, server, tools);
    withheld.push(...kept.values());
    const effects = await readEffects(db, server.name);
    for (const tool of tools) {
      const reason = kept.get(tool.name);
      if (reason && !reason.approved) continue; // a new tool takes no name from another server's
      const names = registry.reserve(server, tool.name);
      if (names === undefined || reason) continue;
      registry.offer(names, session, tool, toKnownEffect(tool, effects.get(tool.name)));
    }
  }
  return { registry, withheld };
}

/** What an administrator set applies to the tool as it was then. */
function toKnownEffect(
  tool: RemoteTool,
  set: Pick<SetEffect, "effect" | "fingerprint"> | undefined,
) {
  const current = fingerprint(tool);
  if (set?.fingerprint !== current)
    return { ...effectOf(tool.annotations), fingerprint: current };
  return { effect: set.effect, effectBy: "administrator" as const, fingerprint: current };
}

/** Logs tools that are withheld and names that clash, unless they were so before. */
export function logChanges(log: Logger, before: ToolList, after: ToolList): void {
  for (const { server, tool, approved } of after.withheld) {
    if (isWithheld(before.withheld, server, tool.name)) continue;
    log.warn(
      { server, tool: tool.name },
      `a tool ${approved ? "changed its definition" : "is new"}; withholding it until an ` +
        "administrator approves it",
    );
  }
  for (const clash of after.registry.clashes) {
    if (before.registry.clashes.some(({ listedAs }) => listedAs === clash.listedAs))
      continue;
    log.warn(clash, "two servers have a tool of the same name");
  }
}

export function isWithheld(
  withheld: readonly WithheldTool[],
  server: string,
  name: string,
): boolean {
  return withheld.some((one) => one.server === server && one.tool.name === name);
}

import type { Database } from "../../platform/db/database.ts";
import { BadRequest, Conflict, NotFound } from "../../platform/http/errors.ts";
import { isDeeper, MAX_JSON_DEPTH } from "../../platform/json/json-limits.ts";
import type { Workers } from "../../platform/workers/workers.ts";
import type { Logger } from "../../platform/telemetry/log.ts";
import { approve, fingerprint, knownTools, withheldOf, type WithheldTool } from "./approvals.ts";
import { createArgumentCheck } from "./check-arguments.ts";
import { coalesce } from "./single-flight.ts";
import type { ListedTool, ToolEffect, ToolResult, ToolServer } from "./contract.ts";
import { type Entry, Registry } from "./registry.ts";
import type { RemoteTool } from "./read-tools.ts";
import type { Session } from "./session.ts";
import { effectOf, readEffects, removeEffect, saveEffect } from "./tool-effects.ts";

/** All tool servers behind one list and one call. */
export interface Gateway extends AsyncDisposable {
  list(): ListedTool[];
  entries(): Entry[];
  /**
   * @throws NotFound `tool_not_found`, BadRequest `tool_arguments_invalid`, and what `Session.call`
   * throws.
   */
  call(name: string, args: Record<string, unknown>, signal: AbortSignal): Promise<ToolResult>;
  sessions(): Session[];
  disabled(): ToolServer[];
  withheld(): WithheldTool[];
  /**
   * Offers a withheld tool again as it is now; where `fingerprint` says what was looked at, only
   * that.
   * @throws NotFound `tool_not_withheld`, Conflict `tool_changed_again`.
   */
  approve(server: string, name: string, fingerprint?: string): Promise<void>;
  /**
   * Sets what a tool does, until it changes; null: what its own annotations say.
   * @throws NotFound `tool_not_found`, Conflict `tool_withheld`.
   */
  classify(server: string, name: string, how: Classification): Promise<Entry>;
  /** Takes over what another replica decided. */
  reread(): Promise<void>;
  /**
   * Opens what is new, closes what is gone, leaves the rest as it is. Resolves when each new server
   * was tried once.
   */
  configure(servers: readonly ToolServer[]): Promise<void>;
  refresh(): Promise<void>;
}

interface Classification {
  effect: ToolEffect | null;
  /** Who says so. */
  setBy: string;
}

interface Deps {
  db: Database;
  log: Logger;
  /** Where input schemas are compiled. */
  workers: Pick<Workers, "run">;
  /** Tells the other replicas that a decision on a tool changed. */
  announce: () => Promise<void>;
  open: (server: ToolServer, changed: () => void) => Session;
}

export function createGateway({ db, log, workers, announce, open }: Deps): Gateway {
  const sessions = new Map<string, Session>();
  let order: ToolServer[] = [];
  let configured = "";
  let registry = new Registry();
  let withheld: WithheldTool[] = [];
  const checkArguments = createArgumentCheck(log, workers);
  const rebuild = coalesce(() =>
    readRegistry().catch((error: unknown) =>
      log.error({ err: error }, "the tool list cannot be made; the last one stands"),
    ),
  );

  async function readRegistry(): Promise<void> {
    const next = new Registry();
    const held: WithheldTool[] = [];
    for (const { name } of order) {
      const session = sessions.get(name);
      if (!session) continue;
      const { server, tools } = session;
      if (!tools) {
        for (const known of await knownTools(db, name)) next.take(server, known);
        continue;
      }
      const changed = await withheldOf(db, name, tools);
      held.push(...changed.values());
      const effects = await readEffects(db, name);
      for (const tool of tools) {
        const listedAs = next.take(server, tool.name);
        if (changed.has(tool.name) || listedAs === undefined) continue;
        next.offer(listedAs, session, tool, knownOf(tool, effects.get(tool.name)));
      }
    }
    for (const { server, tool } of held) {
      if (withheld.some((before) => before.server === server && before.tool.name === tool.name))
        continue;
      log.warn(
        { server, tool: tool.name },
        "a tool changed what it says of itself and is withheld until an administrator approves it",
      );
    }
    for (const clash of next.clashes) {
      if (registry.clashes.some(({ listedAs }) => listedAs === clash.listedAs)) continue;
      log.warn(clash, "two servers have a tool of one name");
    }
    registry = next;
    withheld = held;
  }

  async function configure(servers: readonly ToolServer[]): Promise<void> {
    order = servers.filter(unique);
    const names = servers.map(({ name }) => name).join(", ");
    if (order.length < servers.length && names !== configured)
      log.warn({ servers: names }, "two tool servers have one name; the first counts");
    configured = names;
    const wanted = new Map(
      order.filter(({ enabled }) => enabled).map((server) => [server.name, server]),
    );
    for (const [name, session] of sessions) {
      const server = wanted.get(name);
      if (server && JSON.stringify(server) === JSON.stringify(session.server)) continue;
      sessions.delete(name);
      await session[Symbol.asyncDispose]();
    }
    const fresh = [...wanted.values()].filter(({ name }) => !sessions.has(name));
    for (const server of fresh)
      sessions.set(
        server.name,
        open(server, () => void rebuild()),
      );
    await Promise.all(fresh.map(({ name }) => sessions.get(name)?.attempted));
    await rebuild();
  }

  const entryOf = (server: string, name: string) =>
    [...registry.entries.values()].find(
      ({ session, tool }) => session.server.name === server && tool.name === name,
    );

  async function classify(
    server: string,
    name: string,
    { effect, setBy }: Classification,
  ): Promise<Entry> {
    const entry = entryOf(server, name);
    if (!entry) throw notClassifiable(server, name, withheld);
    if (effect === null) await removeEffect(db, server, name);
    else
      await saveEffect(db, { server, name, effect, setBy, fingerprint: fingerprint(entry.tool) });
    await rebuild();
    await announce();
    return entryOf(server, name) ?? entry;
  }

  return {
    entries: () => [...registry.entries.values()],
    classify,
    reread: rebuild,
    list: () => [...registry.entries.values()].map(({ listed }) => listed),
    async call(name, args, signal) {
      const entry = registry.entries.get(name);
      if (!entry)
        throw new NotFound(
          "tool_not_found",
          `There is no tool "${name}". GET /mcp/v1/tools/list-tools names those that there are.`,
        );
      if (isDeeper(args))
        throw new BadRequest(
          "tool_arguments_invalid",
          `The arguments are nested deeper than ${MAX_JSON_DEPTH} levels. Send them flatter.`,
        );
      const wrong = await checkArguments(entry.listed, args, signal);
      if (wrong.length > 0)
        throw new BadRequest(
          "tool_arguments_invalid",
          `The arguments do not fit the tool "${name}": ${wrong[0]?.path} ${wrong[0]?.message}.`,
          { details: wrong },
        );
      return entry.session.call(entry.tool.name, args, signal);
    },
    sessions: () => [...sessions.values()],
    disabled: () => order.filter(({ enabled }) => !enabled),
    withheld: () => withheld,
    async approve(server, name, looked) {
      const held = withheld.find((one) => one.server === server && one.tool.name === name);
      if (!held)
        throw new NotFound(
          "tool_not_withheld",
          `No tool "${name}" of "${server}" waits for approval.`,
        );
      if (looked !== undefined && looked !== held.fingerprint)
        throw new Conflict(
          "tool_changed_again",
          `The tool "${name}" changed since you looked at it. Look again, then approve it.`,
        );
      await approve(db, held);
      await rebuild();
      await announce();
    },
    configure,
    async refresh() {
      await Promise.allSettled([...sessions.values()].map((session) => session.refresh()));
      await rebuild();
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([...sessions.values()].map((session) => session[Symbol.asyncDispose]()));
      order = [];
      await rebuild();
    },
  };
}

/** What is known of a tool; what an administrator said holds for the tool as it was then. */
function knownOf(tool: RemoteTool, said: { effect: ToolEffect; fingerprint: string } | undefined) {
  const current = fingerprint(tool);
  if (said?.fingerprint === current)
    return { effect: said.effect, effectBy: "administrator" as const, fingerprint: current };
  return { ...effectOf(tool.annotations), fingerprint: current };
}

function notClassifiable(server: string, name: string, withheld: readonly WithheldTool[]) {
  return withheld.some((one) => one.server === server && one.tool.name === name)
    ? new Conflict(
        "tool_withheld",
        `The tool "${name}" of "${server}" changed. Approve it first, at POST /mcp/v1/tools/approve.`,
      )
    : new NotFound(
        "tool_not_found",
        `"${server}" offers no tool "${name}". GET /mcp/v1/tools lists what there is.`,
      );
}

function unique(server: ToolServer, index: number, all: readonly ToolServer[]): boolean {
  return all.findIndex(({ name }) => name === server.name) === index;
}

import type { Database } from "../../platform/db/database.ts";
import { BadRequest, Conflict, NotFound } from "../../platform/http/errors.ts";
import { isDeeper, MAX_JSON_DEPTH } from "../../platform/json/json-limits.ts";
import type { Logger } from "../../platform/telemetry/log.ts";
import { approve, knownTools, withheldOf, type WithheldTool } from "./approvals.ts";
import { createArgumentCheck } from "./check-arguments.ts";
import { coalesce } from "./single-flight.ts";
import type { ListedTool, ToolResult, ToolServer } from "./contract.ts";
import { Registry } from "./registry.ts";
import type { Session } from "./session.ts";

/** All tool servers behind one list and one call. */
export interface Gateway extends AsyncDisposable {
  list(): ListedTool[];
  /** @throws NotFound `tool_not_found`, BadRequest `tool_arguments_invalid`, and what `Session.call` throws. */
  call(name: string, args: Record<string, unknown>, signal: AbortSignal): Promise<ToolResult>;
  sessions(): Session[];
  disabled(): ToolServer[];
  withheld(): WithheldTool[];
  /**
   * Offers a withheld tool again as it is now; where `fingerprint` says what was looked at, only that.
   * @throws NotFound `tool_not_withheld`, Conflict `tool_changed_again`.
   */
  approve(server: string, name: string, fingerprint?: string): Promise<void>;
  /** Opens what is new, closes what is gone, leaves the rest as it is. Resolves when each new server was tried once. */
  configure(servers: readonly ToolServer[]): Promise<void>;
  refresh(): Promise<void>;
}

interface Deps {
  db: Database;
  log: Logger;
  open: (server: ToolServer, changed: () => void) => Session;
}

export function createGateway({ db, log, open }: Deps): Gateway {
  const sessions = new Map<string, Session>();
  let order: ToolServer[] = [];
  let configured = "";
  let registry = new Registry();
  let withheld: WithheldTool[] = [];
  const checkArguments = createArgumentCheck(log);
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
      for (const tool of tools) {
        const listedAs = next.take(server, tool.name);
        if (!changed.has(tool.name) && listedAs !== undefined) next.offer(listedAs, session, tool);
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

  return {
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
      const wrong = checkArguments(entry.listed, args);
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

function unique(server: ToolServer, index: number, all: readonly ToolServer[]): boolean {
  return all.findIndex(({ name }) => name === server.name) === index;
}

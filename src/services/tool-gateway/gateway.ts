import type { Database } from "../../platform/db/database.ts";
import { BadRequest, NotFound } from "../../platform/http/errors.ts";
import type { Logger } from "../../platform/telemetry/log.ts";
import { approve, splitByApproval } from "./approvals.ts";
import { createArgumentCheck } from "./check-arguments.ts";
import type { ListedTool, ToolResult, ToolServer } from "./contract.ts";
import type { RemoteTool, Session } from "./session.ts";

/** All tool servers behind one list and one call. */
export interface Gateway extends AsyncDisposable {
  list(): ListedTool[];
  /** @throws NotFound `tool_not_found`, BadRequest `tool_arguments_invalid`, and what `Session.call` throws. */
  call(name: string, args: Record<string, unknown>, signal: AbortSignal): Promise<ToolResult>;
  sessions(): Session[];
  disabled(): ToolServer[];
  withheld(): { server: string; tool: RemoteTool }[];
  approve(server: string, name: string): Promise<void>;
  /** Opens what is new, closes what is gone, leaves the rest as it is. Resolves when each new server was tried once. */
  configure(servers: readonly ToolServer[]): Promise<void>;
  refresh(): Promise<void>;
}

interface Deps {
  db: Database;
  log: Logger;
  open: (server: ToolServer, changed: () => void) => Session;
}

interface Entry {
  session: Session;
  tool: RemoteTool;
  listed: ListedTool;
}

export function createGateway({ db, log, open }: Deps): Gateway {
  const sessions = new Map<string, Session>();
  let order: ToolServer[] = [];
  let registry = new Map<string, Entry>();
  let withheld: { server: string; tool: RemoteTool }[] = [];
  const checkArguments = createArgumentCheck(log);

  /** One rebuild at a time, and one more when something changed meanwhile. */
  let rebuilding: Promise<void> | undefined;
  let stale = false;
  function rebuild(): Promise<void> {
    stale = true;
    rebuilding ??= (async () => {
      while (stale) {
        stale = false;
        await readRegistry().catch((error: unknown) =>
          log.error({ err: error }, "the tool list cannot be made; the last one stands"),
        );
      }
    })().finally(() => (rebuilding = undefined));
    return rebuilding;
  }

  async function readRegistry(): Promise<void> {
    const next = new Map<string, Entry>();
    const held: typeof withheld = [];
    for (const { name } of order) {
      const session = sessions.get(name);
      if (!session) continue;
      const { offered, withheld: changed } = await splitByApproval(db, name, session.tools);
      held.push(...changed.map((tool) => ({ server: name, tool })));
      for (const tool of offered) register(next, session, tool, log);
    }
    for (const { server, tool } of held) {
      if (!withheld.some((before) => before.server === server && before.tool.name === tool.name)) {
        log.warn(
          { server, tool: tool.name },
          "a tool changed what it says of itself and is withheld until an administrator approves it",
        );
      }
    }
    registry = next;
    withheld = held;
  }

  async function configure(servers: readonly ToolServer[]): Promise<void> {
    order = servers.filter(unique);
    const wanted = new Map(order.filter(({ enabled }) => enabled).map((server) => [server.name, server]));
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
    list: () => [...registry.values()].map(({ listed }) => listed),
    async call(name, args, signal) {
      const entry = registry.get(name);
      if (!entry)
        throw new NotFound(
          "tool_not_found",
          `There is no tool "${name}". GET /mcp/v1/tools/list-tools names those that there are.`,
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
    async approve(server, name) {
      const held = withheld.find((one) => one.server === server && one.tool.name === name);
      if (!held) throw new NotFound("tool_not_withheld", `No tool "${name}" of "${server}" waits for approval.`);
      await approve(db, server, held.tool);
      await rebuild();
    },
    configure,
    async refresh() {
      await Promise.allSettled([...sessions.values()].map((session) => session.refresh()));
      await rebuild();
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([...sessions.values()].map((session) => session[Symbol.asyncDispose]()));
      await rebuilding;
    },
  };
}

/** The first configured server keeps a bare name; a later one is listed as `server__name`. */
function register(registry: Map<string, Entry>, session: Session, tool: RemoteTool, log: Logger): void {
  const { name: server, rename = {}, hide = [] } = session.server;
  if (hide.includes(tool.name)) return;
  const wanted = rename[tool.name] ?? tool.name;
  const holder = registry.get(wanted);
  const name = holder ? `${server}__${wanted}` : wanted;
  if (holder)
    log.warn({ tool: wanted, keeps: holder.listed.server, server, listedAs: name }, "two servers have a tool of one name");
  if (registry.has(name)) return;
  const { description, inputSchema, annotations, title, outputSchema } = tool;
  registry.set(name, {
    session,
    tool,
    listed: {
      name,
      description,
      inputSchema,
      server,
      ...(annotations && { annotations }),
      ...(title && { title }),
      ...(outputSchema && { outputSchema }),
    },
  });
}

function unique(server: ToolServer, index: number, all: readonly ToolServer[]): boolean {
  return all.findIndex(({ name }) => name === server.name) === index;
}

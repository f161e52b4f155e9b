import { NotFound } from "../../platform/http/errors.ts";
import type { ListedTool } from "./contract.ts";
import { type Gateway, toolNotFound } from "./gateway.ts";
import type { PermittedTools } from "./permitted-tools.ts";
import type { Entry } from "./registry.ts";
import type { Session } from "./session.ts";

/** What a client of MCP is offered: all servers together, or one alone. */
export interface Offer {
  /** The tools, by the gateway's names. Rights are checked by these. */
  list(): ListedTool[];
  entries(): Entry[];
  content: Gateway["content"];
  session(server: string): Session | undefined;
  /** What the client calls a tool. */
  nameOf(entry: Entry): string;
  /** The gateway's name of a tool. @throws NotFound `tool_not_found`. */
  find(name: string): string;
}

export function offerOfAll(gateway: Gateway): Offer {
  return {
    list: () => gateway.list(),
    entries: () => gateway.entries(),
    content: (kind, isOf) => gateway.content(kind, isOf),
    session: (server) => gateway.session(server),
    nameOf: ({ listed }) => listed.name,
    // the call itself says that there is no such tool
    find: (name) => name,
  };
}

/**
 * One server alone, whose tools have the names that they have without the other servers.
 * @throws NotFound `tool_server_not_found` for a server that there is not, and for one of which the
 * caller may use nothing: who may not use a server does not learn that it is there.
 */
export async function offerOfServer(
  gateway: Gateway,
  tools: PermittedTools,
  server: string,
): Promise<Offer> {
  const mayRead = await tools.servers(gateway.list());
  if (!gateway.session(server) || !mayRead(server)) throw serverNotFound(server);
  const entries = () => gateway.entries().filter(({ listed }) => listed.server === server);
  return {
    entries,
    list: () => entries().map(({ listed }) => listed),
    content: (kind, isOf) => gateway.content(kind, (one) => one === server && isOf(one)),
    session: (name) => (name === server ? gateway.session(name) : undefined),
    nameOf: ({ ownName }) => ownName,
    find(name) {
      const found = entries().find(({ ownName }) => ownName === name);
      if (!found) throw toolNotFound(name);
      return found.listed.name;
    },
  };
}

function serverNotFound(name: string): NotFound {
  return new NotFound(
    "tool_server_not_found",
    `There is no tool server "${name}" that you may use. Use /mcp, which has the tools of all.`,
    { params: { name } },
  );
}

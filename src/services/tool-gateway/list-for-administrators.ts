import type { PageQuery } from "../../platform/http/page.ts";
import { reportError } from "../../platform/http/reported-error.ts";
import type { Gateway } from "./gateway.ts";
import { fits } from "./list-offered-tools.ts";
import { paginate } from "./paginate.ts";
import type { Entry } from "./registry.ts";

/** One page of the tool servers: those in use with their state, then the disabled ones. */
export function listServers(
  gateway: Pick<Gateway, "sessions" | "disabled" | "withheld">,
  query: PageQuery,
) {
  const withheldOf = (name: string) =>
    gateway.withheld().filter(({ server }) => server === name).length;
  const enabled = gateway.sessions().map(({ server, state, tools, failure, signIn }) => ({
    name: server.name,
    state,
    tools: tools?.length ?? 0,
    withheld: withheldOf(server.name),
    ...(signIn.isWanted && { signIn: true }),
    ...(failure && { error: reportError(failure) }),
  }));
  const disabled = gateway
    .disabled()
    .map(({ name }) => ({ name, state: "disabled" as const, tools: 0 }));
  return paginate([...enabled, ...disabled], query);
}

/** One page of the tools that are new, or changed since they were approved. */
export function listWithheld(gateway: Pick<Gateway, "withheld">, query: PageQuery) {
  const tools = gateway.withheld().map(({ server, tool, fingerprint, approved }) => ({
    server,
    ...tool,
    fingerprint,
    isNew: approved === undefined,
    approved: approved ?? { description: "", inputSchema: {} },
  }));
  return paginate(tools, query);
}

/** One page of the tools with their effects, of one server or with some words if so asked. */
export function listClassified(
  gateway: Pick<Gateway, "entries">,
  query: PageQuery & { query?: string | undefined; server?: string | undefined },
) {
  const words = query.query?.trim().toLowerCase() ?? "";
  const found = gateway
    .entries()
    .filter(({ listed }) => query.server === undefined || listed.server === query.server)
    .filter(({ listed }) => fits(listed, words));
  return paginate(found.map(toClassified), query);
}

/** A tool as administrators see it. */
export function toClassified({ listed, tool }: Entry) {
  return { ...listed, tool: tool.name };
}

import { type PageQuery, slicePage } from "../../platform/http/page.ts";
import { reportError } from "../../platform/http/reported-error.ts";
import type { Gateway } from "./gateway.ts";
import { fits } from "./list-offered-tools.ts";
import type { Entry } from "./registry.ts";
import type { ToolServer } from "./contract.ts";
import type { OwnAddresses } from "./sign-in/find-client.ts";
import type { SignInStore } from "./sign-in/store.ts";

interface ServersDeps {
  gateway: Pick<Gateway, "sessions" | "disabled" | "withheld" | "settled">;
  connections: { store: Pick<SignInStore, "findPinned">; own: OwnAddresses };
}

/**
 * One page of the tool servers: those in use with their state, then the disabled ones. The tools of
 * those that are ready are listed before this answers.
 */
export async function listServers({ gateway, connections }: ServersDeps, query: PageQuery) {
  const page = slicePage(query, serversOf(gateway));
  await gateway.settled();
  const items = page.items.map(async ({ server, ...state }) => ({
    name: server.name,
    ...state,
    ...(await issuerOf(connections, server)),
  }));
  return { ...page, items: await Promise.all(items) };
}

/** Where the client may be used that an administrator entered: there it needs our address. */
async function issuerOf(
  { store, own }: ServersDeps["connections"],
  { name, url, oauth = {} }: ToolServer,
) {
  const { clientId, issuer: entered } = oauth;
  const isBound = entered === undefined && clientId !== undefined;
  const issuer = isBound
    ? await store.findPinned({ server: name, url, clientId })
    : entered;
  return issuer === undefined ? {} : { issuer, redirectUri: own.at(issuer).redirectUri };
}

function serversOf(gateway: ServersDeps["gateway"]) {
  const withheldOf = (name: string) =>
    gateway.withheld().filter(({ server }) => server === name).length;
  const enabled = gateway.sessions().map(({ server, state, tools, failure, signIn }) => ({
    server,
    state,
    tools: tools?.length ?? 0,
    withheld: withheldOf(server.name),
    ...(signIn.isWanted && { signIn: true }),
    ...(signIn.personal && { values: signIn.personal.secrets }),
    ...(failure && { error: reportError(failure) }),
  }));
  const disabled = gateway
    .disabled()
    .map((server) => ({ server, state: "disabled" as const, tools: 0 }));
  return [...enabled, ...disabled];
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
  return slicePage(query, tools);
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
  return slicePage(query, found.map(toClassified));
}

/** A tool as administrators see it. */
export function toClassified({ listed, tool }: Entry) {
  return { ...listed, tool: tool.name };
}

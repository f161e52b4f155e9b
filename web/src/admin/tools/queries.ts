import { infiniteQueryOptions } from "@tanstack/react-query";
import type { RouteInput, RouteOk } from "../../../../src/platform/http/route.ts";
import { coreContract } from "../../../../src/services/core/contract.ts";
import { toolGatewayContract } from "../../../../src/services/tool-gateway/contract.ts";
import { call } from "../../api/call.ts";
import { pagedQuery } from "../../shell/paged.ts";
import { readPages } from "../../shell/read-pages.ts";
import type { ToolsSearch } from "./routes.ts";

const PAGE = 50;
const MAX_STATES = 100;
const POLL_MS = 2_000;
const SLOW_POLL_MS = 4_000;

export type ToolServer = RouteOk<typeof coreContract.listToolServers>["items"][number];
export type NewServer = RouteInput<typeof coreContract.createToolServer>["body"];
export type ServerState = RouteOk<typeof toolGatewayContract.listServers>["items"][number];
export type Tool = RouteOk<typeof toolGatewayContract.listClassified>["items"][number];
export type ChangedTool = RouteOk<typeof toolGatewayContract.listWithheld>["items"][number];
export type Effect = NonNullable<Tool["effect"]>;

export const serversQuery = pagedQuery({
  queryKey: ["tool-servers", "list"],
  load: (page, signal) =>
    call(coreContract.listToolServers, { query: { page, limit: PAGE } }, { signal }),
  keyOf: ({ name }) => name,
});

/**
 * The states of the servers. Polled while one is connecting, and slowly while one waits for a
 * sign-in: it connects a moment after that, here or elsewhere.
 */
const statesList = pagedQuery({
  queryKey: ["tool-servers", "states"],
  load: (page, signal) =>
    call(
      toolGatewayContract.listServers,
      { query: { page, limit: MAX_STATES } },
      { signal },
    ),
  keyOf: ({ name }) => name,
});
export const statesQuery = infiniteQueryOptions({
  ...statesList,
  refetchInterval({ state }) {
    const states = state.data?.pages.flatMap(({ items }) => items.map((one) => one.state));
    if (states?.includes("connecting")) return POLL_MS;
    return states?.includes("signed-out") ? SLOW_POLL_MS : false;
  },
});

export function toolsQuery({ q, server }: ToolsSearch) {
  return pagedQuery({
    queryKey: ["tool-servers", "tools"],
    filter: [q, server],
    load: (page, signal) =>
      call(
        toolGatewayContract.listClassified,
        { query: { query: q, server, page, limit: PAGE } },
        { signal },
      ),
    keyOf: (tool) => `${tool.server} ${tool.tool}`,
  });
}

export const changedQuery = pagedQuery({
  queryKey: ["tool-servers", "changed"],
  load: (page, signal) =>
    call(toolGatewayContract.listWithheld, { query: { page, limit: PAGE } }, { signal }),
  keyOf: ({ server, name }) => `${server} ${name}`,
});

/** Makes the gateway connect to its servers now, instead of within seconds. */
export function refresh() {
  return call(toolGatewayContract.refresh, {});
}

export async function createServer(body: NewServer): Promise<void> {
  await call(coreContract.createToolServer, { body });
  await refresh();
}

/** A server as it is stored now. There is no route for a single one. */
export async function findServer(name: string): Promise<ToolServer | undefined> {
  const servers = await readPages((page) =>
    call(coreContract.listToolServers, { query: { page, limit: MAX_STATES } }),
  );
  return servers.find((server) => server.name === name);
}

export async function changeServer(name: string, body: NewServer): Promise<void> {
  await call(coreContract.changeToolServer, { params: { name }, body });
  await refresh();
}

export async function deleteServer(name: string): Promise<void> {
  await call(coreContract.deleteToolServer, { params: { name } });
  await refresh();
}

export function classify(
  { server, tool }: Pick<Tool, "server" | "tool">,
  effect: Effect | null,
) {
  return call(toolGatewayContract.classifyTool, {
    params: { server, tool },
    body: { effect },
  });
}

export type ServerTest = RouteOk<typeof toolGatewayContract.testServer>;

/**
 * Tests a server before it is saved; without headers, with those that are stored for its address.
 */
export function testServer({ name, url, headers }: NewServer) {
  return call(toolGatewayContract.testServer, {
    body: { name: name || undefined, url, headers },
  });
}

/** Approves the definition that was shown: a tool that changed since is refused. */
export function approve({ server, name, fingerprint }: ChangedTool) {
  return call(toolGatewayContract.approveTool, { body: { server, name, fingerprint } });
}

import { queryOptions } from "@tanstack/react-query";
import type { RouteInput, RouteOk } from "../../../../src/platform/http/route.ts";
import { connectionsContract } from "../../../../src/services/tool-gateway/contract-connections.ts";
import { call } from "../../api/call.ts";
import { pagedQuery } from "../paged.ts";

const PAGE = 50;
/** Where the browser returns to after a sign-in elsewhere, in this tab. */
const RETURN = "connect-return";

export type ToolConnection = RouteOk<
  typeof connectionsContract.listConnections
>["items"][number];
export type SignInAnswer = RouteInput<
  typeof connectionsContract.completeConnection
>["body"];

export const connectionsQuery = pagedQuery({
  queryKey: ["tool-servers", "connections"],
  load: (page, signal) =>
    call(connectionsContract.listConnections, { query: { page, limit: PAGE } }, { signal }),
  keyOf: ({ server }) => server,
});

/** What one tool server wants of the user; null where it wants nothing. */
export const connectionQuery = (server: string) =>
  queryOptions({
    queryKey: ["tool-servers", "connection", server],
    queryFn: async ({ signal }) => {
      const query = { query: server, limit: PAGE };
      const { items } = await call(
        connectionsContract.listConnections,
        { query },
        { signal },
      );
      return items.find((one) => one.server === server) ?? null;
    },
  });

/** Keeps what the user filled in for the headers of a tool server. */
export function fillValues(
  server: string,
  values: Record<string, string>,
  forAll = false,
): Promise<unknown> {
  const route = forAll
    ? connectionsContract.fillValuesForAll
    : connectionsContract.fillValues;
  return call(route, { params: { server }, body: { values } });
}

/** Leaves for the sign-in of a tool server, which comes back to the page that stands open now. */
export async function connectAccount(server: string): Promise<void> {
  const { url } = await call(connectionsContract.connect, { params: { server } });
  leaveFor(url);
}

/** The same for an administrator, with whose account the list of tools is read. */
export async function connectForAll(server: string): Promise<void> {
  const { url } = await call(connectionsContract.connectForAll, { params: { server } });
  leaveFor(url);
}

function leaveFor(url: string): void {
  sessionStorage.setItem(RETURN, location.pathname + location.search);
  location.assign(url);
}

/** Where the sign-in was begun, in this tab. */
export function returnPath(): string {
  const path = sessionStorage.getItem(RETURN);
  return path?.startsWith("/") ? path : "/settings/connections";
}

export function completeConnection(body: SignInAnswer) {
  return call(connectionsContract.completeConnection, { body });
}

export function disconnectAccount(server: string) {
  return call(connectionsContract.disconnect, { params: { server } });
}

/** What the sign-in elsewhere wrote into the address. Undefined: it did not come from there. */
export function readSignInAnswer({
  search,
  pathname,
}: Pick<Location, "search" | "pathname">): SignInAnswer | undefined {
  const sent = new URLSearchParams(search);
  const state = sent.get("state");
  if (!state) return undefined;
  const code = sent.get("code");
  const iss = sent.get("iss");
  const error = sent.get("error");
  const errorDescription = sent.get("error_description");
  return {
    state,
    callback: pathname.split("/").at(-1) ?? "",
    ...(code && { code }),
    ...(iss !== null && { iss }),
    ...(error && { error }),
    ...(errorDescription && { errorDescription }),
  };
}

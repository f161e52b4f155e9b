import type { RouteInput, RouteOk } from "../../../src/platform/http/route.ts";
import {
  type AuthorizationRequest,
  mcpClientsContract as contract,
} from "../../../src/services/users/contract-mcp-clients.ts";
import { call } from "../api/call.ts";
import { pagedQuery } from "../shell/paged.ts";

const PAGE = 50;

export type ClientGrant = RouteOk<typeof contract.listMcpGrants>["items"][number];
export type Decision = RouteInput<typeof contract.decideAuthorization>["body"];

export const grantsQuery = pagedQuery({
  queryKey: ["settings", "mcp-grants"],
  load: (page, signal) =>
    call(contract.listMcpGrants, { query: { page, limit: PAGE } }, { signal }),
  keyOf: ({ id }) => id,
});

export function deleteGrant(id: string) {
  return call(contract.deleteMcpGrant, { params: { id } });
}

export function readAuthorization(query: AuthorizationRequest, signal: AbortSignal) {
  return call(contract.readAuthorization, { query }, { signal });
}

/** Leaves for the client, which learns what was decided. */
export async function decide(body: Decision): Promise<void> {
  const { url } = await call(contract.decideAuthorization, { body });
  location.assign(url);
}

/** What the client wrote into the address. Undefined: it did not come from one. */
export function readRequest(search: string): AuthorizationRequest | undefined {
  const sent = new URLSearchParams(search);
  const [id, address] = [sent.get("client_id"), sent.get("redirect_uri")];
  if (!id || !address) return undefined;
  const others = OTHERS.flatMap((name) => {
    const value = sent.get(name);
    return value === null ? [] : [[name, value] as const];
  });
  return { client_id: id, redirect_uri: address, ...Object.fromEntries(others) };
}

const OTHERS = [
  "response_type",
  "code_challenge",
  "code_challenge_method",
  "scope",
  "state",
  "resource",
] as const;

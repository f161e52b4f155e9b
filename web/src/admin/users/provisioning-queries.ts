import type { RouteOk } from "../../../../src/platform/http/route.ts";
import { scimTokensContract as contract } from "../../../../src/services/users/contract-scim-tokens.ts";
import { queryOptions } from "@tanstack/react-query";
import { call } from "../../api/call.ts";
import { pagedQuery } from "../../shell/paged.ts";

export type ScimToken = RouteOk<typeof contract.listScimTokens>["items"][number];

const KEY = ["users", "scim-tokens"];
export const TOKEN_KEYS = [KEY];
const PAGE = 50;

export const scimTokensQuery = pagedQuery({
  queryKey: [...KEY, "list"],
  load: (page, signal) =>
    call(contract.listScimTokens, { query: { page, limit: PAGE } }, { signal }),
  keyOf: ({ id }) => id,
});

/** The address that an identity provider asks for. */
export const scimAddressQuery = queryOptions({
  queryKey: [...KEY, "address"],
  queryFn: async ({ signal }) => {
    const query = { page: 1, limit: 1 };
    const { baseUrl } = await call(contract.listScimTokens, { query }, { signal });
    return baseUrl;
  },
});

export function createScimToken(body: { name: string; expiresAt?: string | undefined }) {
  return call(contract.createScimToken, { body });
}

export function revokeScimToken(id: string) {
  return call(contract.revokeScimToken, { params: { id } });
}

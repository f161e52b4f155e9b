import type { Cache } from "../../../platform/cache/cache.ts";
import { takeOrRefuse } from "../../../platform/cache/take-or-refuse.ts";
import { type Caller, type ScimClient, userOf } from "../../../platform/http/caller.ts";
import { ApiError, TooManyRequests, Unauthorized } from "../../../platform/http/errors.ts";
import { readPage } from "../../../platform/http/page.ts";
import { json } from "../../../platform/http/respond.ts";
import type { Routes } from "../../../platform/http/routes.ts";
import type { Queue } from "../../../platform/queue/queue.ts";
import { actorOf } from "../audit/record-event.ts";
import { type Projection, scimContract as contract } from "../contract-scim.ts";
import { scimTokensContract as tokens } from "../contract-scim-tokens.ts";
import { refuseStrongerRoles } from "../roles/refuse-stronger-roles.ts";
import { requireConfirmation } from "../sign-in/confirmation.ts";
import type { SessionDeps } from "../sign-in/sessions.ts";
import { deleteUser } from "../user-deletion/delete-user.ts";
import { isAsked, listResponse, projection } from "./answers.ts";
import { GROUP, USER } from "./attributes.ts";
import {
  notFound,
  resourceType,
  resourceTypes,
  schema,
  schemas,
  serviceConfig,
} from "./discovery.ts";
import {
  createScimGroup,
  deleteScimGroup,
  findScimGroup,
  type GroupsDeps,
  listScimGroups,
  patchScimGroup,
  replaceScimGroup,
  type ScimGroupRow,
  toScimGroup,
} from "./groups.ts";
import {
  createScimToken,
  listScimTokens,
  revokeScimToken,
  verifyScimToken,
} from "./tokens.ts";
import { type ScimUserRow, toScimUser } from "./user-resource.ts";
import {
  createScimUser,
  findScimUser,
  listScimUsers,
  patchScimUser,
  replaceScimUser,
} from "./users.ts";

interface Deps extends GroupsDeps, SessionDeps {
  cache: Cache;
  queue: Queue;
  publicUrl: string;
  confirmationMs: number;
  /** Requests in a minute with one token. */
  scimRequestsPerMinute: number;
}

/** Tokens of identity providers, and what they may call. */
export function scimRoutes(routes: Routes, deps: Deps): void {
  tokenRoutes(routes, deps);
  const context = { deps, baseUrl: baseUrlOf(deps), client: clientOf(deps) };
  discoveryRoutes(routes, context);
  usersRoutes(routes, context);
  groupsRoutes(routes, context);
}

function baseUrlOf({ publicUrl }: Pick<Deps, "publicUrl">): string {
  return `${publicUrl.replace(/\/$/, "")}/scim/v2`;
}

function tokenRoutes(routes: Routes, deps: Deps): void {
  const { db } = deps;
  routes
    .on(tokens.listScimTokens, async ({ caller, query }) => ({
      ...(await readPage(query, (limit, offset) =>
        listScimTokens(db, userOf(caller).clientId, limit, offset),
      )),
      baseUrl: baseUrlOf(deps),
    }))
    .on(tokens.createScimToken, async ({ caller, body, request }) => {
      const { clientId } = userOf(caller);
      // the token makes members of any group, and with it gives any role
      await refuseStrongerRoles(db, caller, ["admin"]);
      await requireConfirmation(deps, userOf(caller), request);
      return createScimToken(db, clientId, actorOf(caller), body);
    })
    .on(tokens.revokeScimToken, ({ caller, params }) =>
      revokeScimToken(db, userOf(caller).clientId, actorOf(caller), params.id),
    )
    .on(tokens.verifyScimToken, ({ body }) => verifyScimToken(db, body.token));
}

interface Context {
  deps: Deps;
  baseUrl: string;
  /** The identity provider that asks, within its limit. */
  client: (caller: Caller) => Promise<ScimClient>;
}

function clientOf({ cache, scimRequestsPerMinute: points }: Deps): Context["client"] {
  const limit = { name: "scim", points, durationMs: 60_000 };
  const tooMany = (retryAfterMs: number) =>
    new TooManyRequests(
      "scim_limited",
      `A SCIM token may ask ${points} times a minute. Try again later.`,
      retryAfterMs,
      { params: { max: points } },
    );
  return async (caller) => {
    if (caller.kind !== "scim")
      throw new Unauthorized("scim_token_required", "Send a SCIM token.");
    await takeOrRefuse(cache, limit, caller.tokenId, tooMany);
    return caller;
  };
}

function discoveryRoutes(routes: Routes, { baseUrl, client }: Context): void {
  const after =
    <Asked extends { caller: Caller }, Answer>(answer: (asked: Asked) => Answer) =>
    async (asked: Asked) => {
      await client(asked.caller);
      return answer(asked);
    };
  routes
    .on(
      contract.scimConfig,
      after(() => serviceConfig(baseUrl)),
    )
    .on(
      contract.scimResourceTypes,
      after(() => resourceTypes(baseUrl)),
    )
    .on(
      contract.scimResourceType,
      after(({ params }) => resourceType(baseUrl, params.id)),
    )
    .on(
      contract.scimSchemas,
      after(() => schemas(baseUrl)),
    )
    .on(
      contract.scimSchema,
      after(({ params }) => schema(baseUrl, params.id)),
    )
    .on(contract.scimSearch, async ({ caller }) => {
      await client(caller);
      throw new ApiError(
        501,
        "scim_search_unsupported",
        "Users and groups are not searched at once. GET /scim/v2/Users and /scim/v2/Groups take a filter.",
      );
    })
    .on(contract.scimUnknown, async ({ caller }) => {
      await client(caller);
      throw notFound();
    });
}

function usersRoutes(routes: Routes, { deps, baseUrl, client }: Context): void {
  const { db } = deps;
  const shown = (query: Projection) => {
    const project = projection(USER, query);
    return (row: ScimUserRow) => project(toScimUser(row, baseUrl));
  };
  routes
    .on(contract.scimListUsers, async ({ caller, query }) => {
      const { rows, total, startIndex } = await listScimUsers(
        db,
        await client(caller),
        query,
      );
      return listResponse(rows.map(shown(query)), total, startIndex);
    })
    .on(contract.scimCreateUser, async ({ caller, query, body }) => {
      const row = await createScimUser(db, await client(caller), body);
      return created(shown(query)(row), `${baseUrl}${USER.endpoint}/${row.id}`);
    })
    .on(contract.scimGetUser, async ({ caller, params, query }) =>
      shown(query)(await findScimUser(db, await client(caller), params.id)),
    )
    .on(contract.scimReplaceUser, async ({ caller, params, query, body }) =>
      shown(query)(await replaceScimUser(deps, await client(caller), params.id, body)),
    )
    .on(contract.scimPatchUser, async ({ caller, params, query, body }) =>
      shown(query)(
        await patchScimUser(deps, await client(caller), params.id, body.Operations),
      ),
    )
    .on(contract.scimDeleteUser, async ({ caller, params }) => {
      const asking = await client(caller);
      const { id } = await findScimUser(db, asking, params.id);
      await deleteUser(deps, actorOf(asking), { userId: id, transferTo: null });
    });
}

function groupsRoutes(routes: Routes, { deps, baseUrl, client }: Context): void {
  const { db } = deps;
  const shown = (query: Projection) => {
    const project = projection(GROUP, query);
    return (row: ScimGroupRow) => project(toScimGroup(row, baseUrl));
  };
  routes
    .on(contract.scimListGroups, async ({ caller, query }) => {
      const { rows, total, startIndex } = await listScimGroups(
        db,
        await client(caller),
        query,
      );
      return listResponse(rows.map(shown(query)), total, startIndex);
    })
    .on(contract.scimCreateGroup, async ({ caller, query, body }) => {
      const row = await createScimGroup(deps, await client(caller), body);
      return created(shown(query)(row), `${baseUrl}${GROUP.endpoint}/${row.id}`);
    })
    .on(contract.scimGetGroup, async ({ caller, params, query }) => {
      const hasMembers = isAsked(GROUP, query, "members");
      const asking = await client(caller);
      return shown(query)(await findScimGroup(db, asking, params.id, { hasMembers }));
    })
    .on(contract.scimReplaceGroup, async ({ caller, params, query, body }) =>
      shown(query)(await replaceScimGroup(deps, await client(caller), params.id, body)),
    )
    .on(contract.scimPatchGroup, async ({ caller, params, body }) =>
      patchScimGroup(deps, await client(caller), params.id, body.Operations),
    )
    .on(contract.scimDeleteGroup, async ({ caller, params }) =>
      deleteScimGroup(deps, await client(caller), params.id),
    );
}

/** Says where the new resource is (RFC 7644, 3.3). */
function created(resource: object, location: string): Response {
  const headers = { "content-type": "application/scim+json", location };
  return json(resource, 201, headers);
}

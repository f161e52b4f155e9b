import type { Cache, Limit } from "../../../platform/cache/cache.ts";
import { takeOrRefuse } from "../../../platform/cache/take-or-refuse.ts";
import { userOf } from "../../../platform/http/caller.ts";
import { NotFound } from "../../../platform/http/errors.ts";
import { readPage } from "../../../platform/http/page.ts";
import { readJsonText } from "../../../platform/http/read-body.ts";
import { json } from "../../../platform/http/respond.ts";
import type { Routes } from "../../../platform/http/routes.ts";
import { userToManage } from "../accounts/act-on-user.ts";
import { actorOf } from "../audit/record-event.ts";
import { MCP_SCOPES } from "../contract-mcp-clients.ts";
import { usersContract as contract } from "../contract.ts";
import { networkOf, siteOf } from "../sign-in/limit-guesses.ts";
import { userId } from "../user-id.ts";
import { type AuthorizeDeps, decideAuthorization, readAuthorization } from "./authorize.ts";
import { registerClient } from "./find-client.ts";
import {
  deleteGrant,
  grantNotFound,
  listGrants,
  listGrantsOfTenant,
  ownerOfGrant,
} from "./grants.ts";
import { clientsLimited, OAuthFailure, registrationClosed } from "./oauth-failure.ts";
import { answerTokens, revokeByToken, verifyMcpToken } from "./tokens.ts";

export interface McpClientsDeps extends AuthorizeDeps {
  cache: Cache;
  /** Whether clients may register themselves. */
  clientsRegister: boolean;
}

const HOUR_MS = 3_600_000;
const REGISTER_LIMIT: Limit = { name: "mcp-register", points: 200, durationMs: HOUR_MS };
/** Of a /48, which providers give to one site. */
const REGISTER_SITE_LIMIT: Limit = {
  name: "mcp-register-site",
  points: 600,
  durationMs: HOUR_MS,
};
const TOKEN_LIMIT: Limit = { name: "mcp-token", points: 600, durationMs: 60_000 };
/** Each may ask another server for the document of a client. */
const ASK_LIMIT: Limit = { name: "mcp-authorize", points: 60, durationMs: 600_000 };
/** Tokens, and who they are for, are never kept on the way. RFC 6749, section 5.1. */
const UNSTORED = { "cache-control": "no-store" };

/** Sign-in of clients of MCP, which act for users at `/mcp`. */
export function mcpClientsRoutes(routes: Routes, deps: McpClientsDeps): void {
  const { db, publicUrl, clientsRegister } = deps;
  const resource = () => resourceMetadata(publicUrl);
  routes
    .on(contract.mcpResource, resource)
    .on(contract.mcpResourceAtRoot, resource)
    .on(contract.mcpServerResource, ({ params: { server } }) =>
      resourceMetadata(publicUrl, `/${server}`),
    )
    .on(contract.mcpAuthorizationServer, () => serverMetadata(publicUrl, clientsRegister))
    .on(contract.registerMcpClient, async ({ body, peer }) => {
      if (!clientsRegister) throw registrationClosed();
      await limit(deps, REGISTER_LIMIT, networkOf(peer));
      await limit(deps, REGISTER_SITE_LIMIT, siteOf(peer));
      const from = { network: networkOf(peer), site: siteOf(peer) };
      const { id, name, redirectUris } = await registerClient(db, body, from);
      return {
        client_id: id,
        client_id_issued_at: Math.floor(Date.now() / 1_000),
        client_name: name,
        redirect_uris: redirectUris,
        grant_types: ["authorization_code", "refresh_token"],
        response_types: ["code"],
        token_endpoint_auth_method: "none",
      };
    })
    .on(contract.mcpToken, async ({ request, peer }) => {
      await limit(deps, TOKEN_LIMIT, networkOf(peer));
      const form = await readForm(request);
      try {
        return json(await answerTokens(deps, form), 200, UNSTORED);
      } catch (error) {
        if (!(error instanceof OAuthFailure)) throw error;
        const { code, message } = error;
        const status = code === "invalid_client" ? 401 : 400;
        return json({ error: code, error_description: message }, status, UNSTORED);
      }
    })
    .on(contract.revokeMcpToken, async ({ request, peer }) => {
      await limit(deps, TOKEN_LIMIT, networkOf(peer));
      await revokeByToken(db, await readForm(request));
      return json({}, 200, UNSTORED);
    })
    .on(contract.readAuthorization, async ({ caller, query, signal }) => {
      await limit(deps, ASK_LIMIT, userId(caller));
      return readAuthorization(deps, userId(caller), query, signal);
    })
    .on(contract.decideAuthorization, async ({ caller, body, signal }) => {
      await limit(deps, ASK_LIMIT, userId(caller));
      return decideAuthorization(deps, userId(caller), body, signal);
    })
    .on(contract.listMcpGrants, ({ caller, query }) =>
      readPage(query, (max, offset) => listGrants(db, userId(caller), max, offset)),
    )
    .on(contract.deleteMcpGrant, ({ caller, params }) =>
      deleteGrant(db, userId(caller), params.id),
    )
    .on(contract.listGrantsOfUsers, ({ caller, query }) =>
      readPage(query, (max, offset) => {
        const of = { clientId: userOf(caller).clientId, userId: query.userId };
        return listGrantsOfTenant(db, of, max, offset);
      }),
    )
    .on(contract.deleteGrantOfUser, async ({ caller, params }) => {
      const owner = await ownerOfGrant(db, params.id);
      await userToManage(db, caller, owner).catch((error: unknown) => {
        // nobody learns which grants other tenants have
        throw error instanceof NotFound ? grantNotFound() : error;
      });
      const by = { actor: actorOf(caller), why: "administrator" as const };
      await deleteGrant(db, owner, params.id, by);
    })
    .on(contract.verifyMcpToken, ({ body }) => verifyMcpToken(db, body.token));
}

function resourceMetadata(publicUrl: string, ofServer = "") {
  return {
    resource: `${publicUrl}/mcp${ofServer}`,
    authorization_servers: [publicUrl],
    scopes_supported: [...MCP_SCOPES],
    bearer_methods_supported: ["header"],
    resource_name: "Parlance",
  };
}

function serverMetadata(publicUrl: string, clientsRegister: boolean) {
  return {
    issuer: publicUrl,
    authorization_endpoint: `${publicUrl}/oauth/authorize`,
    token_endpoint: `${publicUrl}/api/v1/oauth/token`,
    ...(clientsRegister && {
      registration_endpoint: `${publicUrl}/api/v1/oauth/register`,
    }),
    revocation_endpoint: `${publicUrl}/api/v1/oauth/revoke`,
    scopes_supported: [...MCP_SCOPES],
    response_types_supported: ["code"],
    grant_types_supported: ["authorization_code", "refresh_token"],
    code_challenge_methods_supported: ["S256"],
    token_endpoint_auth_methods_supported: ["none"],
    revocation_endpoint_auth_methods_supported: ["none"],
    client_id_metadata_document_supported: true,
    authorization_response_iss_parameter_supported: true,
  };
}

const MAX_FORM_BYTES = 16 * 1024;

async function readForm(request: Request): Promise<URLSearchParams> {
  // a form has no levels, so the limits of JSON let it pass
  return new URLSearchParams(await readJsonText(request, { maxBytes: MAX_FORM_BYTES }));
}

function limit({ cache }: McpClientsDeps, of: Limit, key: string): Promise<void> {
  return takeOrRefuse(cache, of, key, clientsLimited);
}

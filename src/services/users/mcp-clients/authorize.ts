import sql from "sql-template-tag";
import { hashToken, randomToken } from "../../../platform/auth/secrets.ts";
import type { Database } from "../../../platform/db/database.ts";
import { BadRequest, Forbidden, Unauthorized } from "../../../platform/http/errors.ts";
import type { Outgoing } from "../../../platform/outgoing/outgoing.ts";
import {
  type AuthorizationRequest,
  MCP_SCOPES,
  type McpScope,
  McpServerName,
} from "../contract-mcp-clients.ts";
import { findUser, type StoredUser } from "../accounts/users-store.ts";
import { findClient, type McpClient } from "./find-client.ts";
import { hostOf, isLocal, isRegistered } from "./redirect-uri.ts";

export interface AuthorizeDeps {
  db: Database;
  outgoing: Outgoing;
  publicUrl: string;
}

const CODE_MS = 60_000;
/** Codes that one user may have open. */
const MAX_CODES = 20;

interface Decision {
  request: AuthorizationRequest;
  scopes: McpScope[];
  /** Absent: all that the user may run. */
  tools?: string[] | undefined;
}

interface Authorization {
  client: McpClient;
  challenge: string;
  scopes: McpScope[];
}

/**
 * What the user is asked before anything is granted.
 * @throws Forbidden `mcp_grant_foreign`, and what `readRequest` throws.
 */
export async function readAuthorization(
  deps: AuthorizeDeps,
  userId: string,
  request: AuthorizationRequest,
  signal: AbortSignal,
) {
  await ownerOf(deps.db, userId);
  const { client, scopes } = await readRequest(deps, request, signal);
  return {
    clientName: client.name,
    clientHost: client.host,
    clientDocument: client.host === null ? null : client.id,
    redirectHost: hostOf(request.redirect_uri),
    isLocal: isLocal(new URL(request.redirect_uri)),
    scopes,
  };
}

/**
 * Grants what the user chose, or nothing. @returns where the browser goes then.
 * @throws Forbidden `mcp_grant_foreign`, Unauthorized `token_revoked`, and what `readRequest`
 * throws.
 */
export async function decideAuthorization(
  deps: AuthorizeDeps,
  userId: string,
  { request, scopes: chosen, tools }: Decision,
  signal: AbortSignal,
): Promise<{ url: string }> {
  const owner = await ownerOf(deps.db, userId);
  const { client, challenge, scopes } = await readRequest(deps, request, signal);
  const granted = withUse(scopes.filter((scope) => chosen.includes(scope)));
  if (granted.length === 0)
    return { url: answerTo(deps, request, { error: "access_denied" }) };
  const code = randomToken();
  const { db } = deps;
  await db.query(sql`delete from users.mcp_codes
    where expires_at < now() - interval '1 hour'`);
  await db.query(sql`delete from users.mcp_codes where hash in (
    select hash from users.mcp_codes where user_id = ${userId}
    order by expires_at desc offset ${MAX_CODES - 1})`);
  // the sessions may have ended while the client's document was read: a taken-over account
  const made = await db.query(sql`insert into users.mcp_codes
      (hash, user_id, client_id, client_name, redirect_uri, challenge, scopes, tools, expires_at)
    select ${hashToken(code)}, id, ${client.id}, ${client.name}, ${request.redirect_uri},
      ${challenge}, ${granted}::text[], ${tools ?? null}::text[],
      now() + ${CODE_MS} * interval '1 millisecond'
    from users.users
    where id = ${owner.id} and not disabled and session_epoch = ${owner.sessionEpoch} for share
    returning hash`);
  if (made.length === 0)
    throw new Unauthorized("token_revoked", "This session has ended. Sign in again.");
  return { url: answerTo(deps, request, { code }) };
}

/**
 * Reads a request. An address that is not the client's own gets no answer, so every fault is said
 * to the user.
 * @throws BadRequest `mcp_redirect_foreign`, `mcp_request_invalid`, and what `findClient` throws.
 */
async function readRequest(
  deps: AuthorizeDeps,
  request: AuthorizationRequest,
  signal: AbortSignal,
): Promise<Authorization> {
  const client = await findClient(deps, request.client_id, signal);
  const { redirect_uri: redirectUri, code_challenge: challenge = "" } = request;
  if (!isRegistered(client.redirectUris, redirectUri)) throw foreignRedirect();
  if (request.response_type !== "code") throw invalid("response_type=code");
  if (request.code_challenge_method !== "S256") throw invalid("code_challenge_method=S256");
  // the SHA-256 of a verifier, in base64url
  if (!/^[\w-]{43}$/.test(challenge)) throw invalid("code_challenge");
  if (!isOwnResource(request.resource, deps.publicUrl))
    throw invalid(`resource=${deps.publicUrl}/mcp`);
  return { client, challenge, scopes: scopesIn(request.scope) };
}

/** Clients before 2025-06-18 name no resource. What is granted counts for `/mcp` as a whole. */
export function isOwnResource(resource: string | undefined, publicUrl: string): boolean {
  if (resource === undefined) return true;
  const own = `${publicUrl}/mcp`;
  const named = resource.replace(/\/$/, "");
  if (named === own) return true;
  const isBelow = named.startsWith(`${own}/`);
  return isBelow && McpServerName.safeParse(named.slice(own.length + 1)).success;
}

/** Those that there are; without any, what needs no approval. */
function scopesIn(text = ""): McpScope[] {
  const asked = text.split(" ");
  const known = MCP_SCOPES.filter((scope) => asked.includes(scope));
  return known.length > 0 ? withUse(known) : ["tool:use"];
}

/** Whoever runs tools unasked uses them. */
function withUse(scopes: McpScope[]): McpScope[] {
  return MCP_SCOPES.filter((scope) =>
    scope === "tool:use" ? scopes.length > 0 : scopes.includes(scope),
  );
}

/** Source: RFC 6749, section 4.1.2; RFC 9207. */
function answerTo(
  { publicUrl }: AuthorizeDeps,
  { redirect_uri: redirectUri, state }: AuthorizationRequest,
  answer: Record<string, string>,
): string {
  const url = new URL(redirectUri);
  const params = { ...answer, ...(state !== undefined && { state }), iss: publicUrl };
  for (const [name, value] of Object.entries(params)) url.searchParams.set(name, value);
  return url.href;
}

function invalid(wanted: string): BadRequest {
  return new BadRequest(
    "mcp_request_invalid",
    `The client asks in a way that is not safe or not for this server: it must send ${wanted}. Update the client.`,
    { params: { wanted } },
  );
}

function foreignRedirect(): BadRequest {
  return new BadRequest(
    "mcp_redirect_foreign",
    "The client wants to come back to an address that is not its own. Nothing was granted. Connect " +
      "it again, and ask its maker if that repeats.",
  );
}

/** Users of another issuer, whose ids may be any text, have no account here. */
async function ownerOf(db: Database, userId: string): Promise<StoredUser> {
  const owner = await findUser(db, userId);
  if (owner) return owner;
  throw new Forbidden(
    "mcp_grant_foreign",
    "Your account comes from another issuer, so you grant nothing here. Give the client a token of " +
      "that issuer.",
  );
}

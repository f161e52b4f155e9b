import { createHash, randomBytes } from "node:crypto";
import sql from "sql-template-tag";
import { uuidv7 } from "uuidv7";
import type { Database } from "../../../platform/db/database.ts";
import { Unauthorized } from "../../../platform/http/errors.ts";
import { MCP_TOKEN } from "../../../platform/http/route.ts";
import { recordEvent } from "../audit/record-event.ts";
import { rolesOfGroups } from "../groups/roles-of-groups.ts";
import { hashToken } from "../sign-in/sessions.ts";
import { isOwnResource } from "./authorize.ts";
import { endGrant } from "./grants.ts";
import { OAuthFailure } from "./oauth-failure.ts";
import { hostOf } from "./redirect-uri.ts";

export interface TokenDeps {
  db: Database;
  publicUrl: string;
}

const ACCESS_SECONDS = 3_600;
const REFRESH_DAYS = 30;
/** Two threads of a client may renew at the same time, as two tabs do with a session. */
const GRACE_MS = 10_000;
/** Grants of one user; the oldest make room. */
const MAX_GRANTS = 100;
/** Tokens of one grant that are remembered after their use. */
const MAX_USED = 200;

/** The answer to a request of tokens. Source: RFC 6749, section 5. */
export async function answerTokens(deps: TokenDeps, form: URLSearchParams) {
  const resource = form.get("resource") ?? undefined;
  if (!isOwnResource(resource, deps.publicUrl))
    throw new OAuthFailure("invalid_target", "There is another resource here alone.");
  switch (form.get("grant_type")) {
    case "authorization_code":
      return exchangeCode(deps.db, form);
    case "refresh_token":
      return refresh(deps.db, form);
    default:
      throw new OAuthFailure(
        "unsupported_grant_type",
        "Send authorization_code or refresh_token.",
      );
  }
}

interface Code {
  userId: string;
  clientId: string;
  clientName: string;
  redirectUri: string;
  challenge: string;
  scopes: string[];
}

/** A code counts once. Whoever sends it again has stolen it, or it was stolen: the grant ends. */
async function exchangeCode(db: Database, form: URLSearchParams) {
  const hash = hashToken(form.get("code") ?? "");
  const answer = await db.tx(async () => {
    const [code] = await db.query<Code>(sql`
      update users.mcp_codes code set used_at = now() from users.users owner
      where code.hash = ${hash} and code.used_at is null and code.expires_at > now()
        and owner.id = code.user_id and not owner.disabled
      returning code.user_id as "userId", code.client_id as "clientId",
        code.client_name as "clientName", code.redirect_uri as "redirectUri", code.challenge,
        code.scopes`);
    // used up, also where it is refused
    if (!code || !isMeantFor(code, form)) return undefined;
    const id = await createGrant(db, code);
    await db.query(sql`update users.mcp_codes set grant_id = ${id} where hash = ${hash}`);
    return issue(db, id, code.scopes);
  });
  if (answer) return answer;
  const [used] = await db.query<{ grantId: string; userId: string }>(sql`
    select grant_id as "grantId", user_id as "userId" from users.mcp_codes
    where hash = ${hash} and grant_id is not null`);
  if (used) await endGrant(db, used.userId, used.grantId, "reused");
  throw invalidGrant();
}

function isMeantFor(code: Code, form: URLSearchParams): boolean {
  const verifier = form.get("code_verifier") ?? "";
  const hash = createHash("sha256").update(verifier).digest("base64url");
  return (
    /^[\w.~-]{43,128}$/.test(verifier) &&
    hash === code.challenge &&
    form.get("client_id") === code.clientId &&
    form.get("redirect_uri") === code.redirectUri
  );
}

async function createGrant(db: Database, code: Code): Promise<string> {
  const id = uuidv7();
  const { userId, clientId, clientName, scopes, redirectUri } = code;
  await db.query(sql`delete from users.mcp_grants where expires_at < now()`);
  await db.query(sql`delete from users.mcp_grants where id in (
    select id from users.mcp_grants where user_id = ${userId}
    order by created_at desc offset ${MAX_GRANTS - 1})`);
  await db.query(sql`insert into users.mcp_grants
      (id, user_id, client_id, client_name, redirect_host, scopes, expires_at)
    values (${id}, ${userId}, ${clientId}, ${clientName}, ${hostOf(redirectUri)}, ${scopes},
      now() + ${REFRESH_DAYS} * interval '1 day')`);
  await recordEvent(db, userId, {
    action: "mcp_client.granted",
    resourceType: "mcp_client",
    resourceId: id,
    details: { name: clientName, client: clientId, scopes },
  });
  return id;
}

interface Renewable {
  grantId: string;
  userId: string;
  scopes: string[];
  isReused: boolean;
}

async function refresh(db: Database, form: URLSearchParams) {
  const hash = hashToken(form.get("refresh_token") ?? "");
  const clientId = form.get("client_id") ?? "";
  const found = await db.tx(async () => {
    // the grant first, as where it is ended: in another order the two would wait for each other
    const [row] = await db.query<Renewable>(sql`
      select token.grant_id as "grantId", owner.id as "userId", granted.scopes,
        coalesce(token.used_at < now() - ${GRACE_MS} * interval '1 millisecond', false)
          as "isReused"
      from users.mcp_tokens token join users.mcp_grants granted on granted.id = token.grant_id
        join users.users owner on owner.id = granted.user_id
      where token.hash = ${hash} and token.kind = 'refresh' and token.expires_at > now()
        and granted.client_id = ${clientId} and not owner.disabled
      for update of granted`);
    if (!row || row.isReused) return { row, tokens: undefined };
    await db.query(sql`update users.mcp_tokens set used_at = coalesce(used_at, now())
      where hash = ${hash}`);
    await db.query(sql`update users.mcp_grants
      set expires_at = now() + ${REFRESH_DAYS} * interval '1 day' where id = ${row.grantId}`);
    await forgetOld(db, row.grantId);
    return { row, tokens: await issue(db, row.grantId, row.scopes) };
  });
  if (found.tokens) return found.tokens;
  if (found.row) await endGrant(db, found.row.userId, found.row.grantId, "reused");
  throw invalidGrant();
}

async function forgetOld(db: Database, grantId: string): Promise<void> {
  await db.query(sql`delete from users.mcp_tokens
    where grant_id = ${grantId} and expires_at <= now()`);
  await db.query(sql`delete from users.mcp_tokens where hash in (
    select hash from users.mcp_tokens where grant_id = ${grantId}
    order by expires_at desc offset ${MAX_USED})`);
}

/** Source: RFC 6749, section 5.1. Only hashes are stored. */
async function issue(db: Database, grantId: string, scopes: readonly string[]) {
  const [access, renewing] = [newToken(), newToken()];
  await db.query(sql`insert into users.mcp_tokens (hash, grant_id, kind, expires_at) values
    (${hashToken(access)}, ${grantId}, 'access',
      now() + ${ACCESS_SECONDS} * interval '1 second'),
    (${hashToken(renewing)}, ${grantId}, 'refresh',
      now() + ${REFRESH_DAYS} * interval '1 day')`);
  return {
    access_token: access,
    token_type: "Bearer",
    expires_in: ACCESS_SECONDS,
    refresh_token: renewing,
    scope: scopes.join(" "),
  };
}

function newToken(): string {
  return `${MCP_TOKEN}${randomBytes(32).toString("base64url")}`;
}

function invalidGrant(): OAuthFailure {
  return new OAuthFailure(
    "invalid_grant",
    "The code or token is not valid any more. Sign in again.",
  );
}

/** Ends what was granted, by one of its tokens; says nothing of others. Source: RFC 7009. */
export async function revokeByToken(db: Database, form: URLSearchParams): Promise<void> {
  const [found] = await db.query<{ id: string; userId: string }>(sql`
    select granted.id, granted.user_id as "userId" from users.mcp_tokens token
      join users.mcp_grants granted on granted.id = token.grant_id
    where token.hash = ${hashToken(form.get("token") ?? "")}
      and granted.client_id = ${form.get("client_id") ?? ""}`);
  if (found) await endGrant(db, found.userId, found.id, "client");
}

/** @throws Unauthorized `mcp_token_invalid`. */
export async function verifyMcpToken(db: Database, token: string) {
  const [row] = await db.query<{
    grantId: string;
    scopes: string[];
    userId: string;
    email: string;
    name: string;
    roles: string[];
    clientId: string;
    isUseOutdated: boolean;
  }>(sql`
    select granted.id as "grantId", granted.scopes, owner.id as "userId", owner.email, owner.name,
      owner.client_id as "clientId",
      owner.roles || ${rolesOfGroups(sql`owner.id::text`, sql`owner.client_id`, sql`owner.roles`)}
        as roles,
      granted.last_used_at is null or granted.last_used_at < now() - interval '1 minute'
        as "isUseOutdated"
    from users.mcp_tokens token join users.mcp_grants granted on granted.id = token.grant_id
      join users.users owner on owner.id = granted.user_id
    where token.hash = ${hashToken(token)} and token.kind = 'access'
      and token.expires_at > now() and not owner.disabled`);
  if (!row)
    throw new Unauthorized(
      "mcp_token_invalid",
      "The token of this client is unknown, revoked or expired. Refresh it, or sign in again.",
    );
  const { grantId, isUseOutdated, ...user } = row;
  if (isUseOutdated)
    await db.query(
      sql`update users.mcp_grants set last_used_at = now() where id = ${grantId}`,
    );
  return { user };
}

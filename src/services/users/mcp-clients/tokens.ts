import sql from "sql-template-tag";
import type { Database } from "../../../platform/db/database.ts";
import { Unauthorized } from "../../../platform/http/errors.ts";
import { hashToken } from "../../../platform/auth/secrets.ts";
import { rolesOfGroups } from "../groups/roles-of-groups.ts";
import { isOwnResource } from "./authorize.ts";
import { exchangeCode } from "./exchange-code.ts";
import { keepClient } from "./find-client.ts";
import { endGrant } from "./grants.ts";
import { familyOf } from "./issue.ts";
import { OAuthFailure, required } from "./oauth-failure.ts";
import { renew } from "./renew.ts";

export interface TokenDeps {
  db: Database;
  publicUrl: string;
}

/**
 * The answer to a request of tokens. Source: RFC 6749, section 5.
 * @throws OAuthFailure, TooManyRequests `mcp_clients_limited`.
 */
export async function answerTokens({ db, publicUrl }: TokenDeps, form: URLSearchParams) {
  const resource = form.get("resource") ?? undefined;
  if (!isOwnResource(resource, publicUrl))
    throw new OAuthFailure("invalid_target", "There is another resource here alone.");
  const kind = required(form, "grant_type");
  const ask = kind === "refresh_token" ? renew : exchangeCode;
  if (kind !== "refresh_token" && kind !== "authorization_code")
    throw new OAuthFailure(
      "unsupported_grant_type",
      "Send authorization_code or refresh_token.",
    );
  // so a client that is forgotten registers again, where it would only ask its user again
  if (!(await keepClient(db, required(form, "client_id"))))
    throw new OAuthFailure(
      "invalid_client",
      "This client is not registered here any more. Register it again.",
    );
  return ask(db, form);
}

/** Ends what was granted, by one of its tokens; says nothing of others. Source: RFC 7009. */
export async function revokeByToken(db: Database, form: URLSearchParams): Promise<void> {
  const token = form.get("token") ?? "";
  const [found] = await db.query<{ id: string; userId: string }>(sql`
    select id, user_id as "userId" from users.mcp_grants where id in (
        select grant_id from users.mcp_tokens where hash = ${hashToken(token)}
        union select id from users.mcp_grants where family_hash = ${familyOf(token)?.hash ?? null})
      and client_id = ${form.get("client_id") ?? ""}`);
  if (found) await endGrant(db, found.userId, found.id, "client");
}

interface Row {
  isOver: boolean;
  grantId: string;
  scopes: string[];
  tools: string[] | null;
  userId: string;
  email: string;
  name: string;
  roles: string[];
  clientId: string;
  isUseOutdated: boolean;
}

/** @throws Unauthorized `mcp_token_invalid`, or `token_expired` while its grant goes on. */
export async function verifyMcpToken(db: Database, token: string) {
  const [row] = await db.query<Row>(sql`
    select granted.id as "grantId", granted.scopes, granted.tools, owner.id as "userId", owner.email, owner.name,
      owner.client_id as "clientId", token.expires_at <= now() as "isOver",
      owner.roles || ${rolesOfGroups(sql`owner.id::text`, sql`owner.client_id`, sql`owner.roles`)}
        as roles,
      granted.last_used_at is null or granted.last_used_at < now() - interval '1 minute'
        as "isUseOutdated"
    from users.mcp_tokens token join users.mcp_grants granted on granted.id = token.grant_id
      join users.users owner on owner.id = granted.user_id
    where token.hash = ${hashToken(token)} and token.kind = 'access' and not owner.disabled`);
  if (!row)
    throw new Unauthorized(
      "mcp_token_invalid",
      "The token of this client is unknown, revoked or expired. Refresh it, or sign in again.",
    );
  const { grantId, isUseOutdated, isOver, tools, ...user } = row;
  if (isOver)
    throw new Unauthorized(
      "token_expired",
      "The access token has expired. Refresh it or sign in again.",
    );
  if (isUseOutdated)
    await db.query(
      sql`update users.mcp_grants set last_used_at = now() where id = ${grantId}`,
    );
  return { user: { ...user, ...(tools && { tools }) } };
}

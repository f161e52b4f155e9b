import sql from "sql-template-tag";
import { hashToken, randomToken } from "../../../platform/auth/secrets.ts";
import type { Database } from "../../../platform/db/database.ts";
import { MCP_TOKEN } from "../../../platform/http/route.ts";

const ACCESS_SECONDS = 3_600;
export const REFRESH_DAYS = 30;

/** The family of a token that renews, as its grant stores it; null for any other token. */
export function familyOf(token: string): { family: string; hash: string } | null {
  const family = /^mcp_([\w-]{43})\.[\w-]{43}$/.exec(token)?.[1];
  return family === undefined ? null : { family, hash: hashToken(family) };
}

interface Issued {
  grantId: string;
  /** The secret in all tokens that renew the grant. */
  family: string;
  scopes: readonly string[];
}

/** Source: RFC 6749, section 5.1. Only hashes are stored. */
export async function issue(db: Database, { grantId, family, scopes }: Issued) {
  const access = `${MCP_TOKEN}${randomToken()}`;
  const renewing = `${MCP_TOKEN}${family}.${randomToken()}`;
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

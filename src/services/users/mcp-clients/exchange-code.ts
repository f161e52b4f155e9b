import { createHash } from "node:crypto";
import sql from "sql-template-tag";
import { uuidv7 } from "uuidv7";
import { hashToken, randomToken } from "../../../platform/auth/secrets.ts";
import type { Database } from "../../../platform/db/database.ts";
import { recordEvent } from "../audit/record-event.ts";
import { isRegistration } from "./find-client.ts";
import { endGrant } from "./grants.ts";
import { issue, REFRESH_DAYS } from "./issue.ts";
import { invalidGrant, required } from "./oauth-failure.ts";
import { hostOf } from "./redirect-uri.ts";

/** Grants of one user; the oldest make room. */
const MAX_GRANTS = 100;

interface Code {
  userId: string;
  clientId: string;
  clientName: string;
  redirectUri: string;
  challenge: string;
  scopes: string[];
  tools: string[] | null;
}

/** A code counts once. Whoever sends it again has stolen it, or it was stolen: the grant ends. */
export async function exchangeCode(db: Database, form: URLSearchParams) {
  const hash = hashToken(required(form, "code"));
  required(form, "code_verifier");
  const answer = await db.tx(async () => {
    // the owner first: of an account that is taken over nothing is granted after its grants ended
    await db.query(sql`select id from users.users
      where id = (select user_id from users.mcp_codes where hash = ${hash}) for share`);
    const [code] = await db.query<Code>(sql`
      update users.mcp_codes code set used_at = now() from users.users owner
      where code.hash = ${hash} and code.used_at is null and code.expires_at > now()
        and owner.id = code.user_id and not owner.disabled
      returning code.user_id as "userId", code.client_id as "clientId",
        code.client_name as "clientName", code.redirect_uri as "redirectUri", code.challenge,
        code.scopes, code.tools`);
    // used up, also where it is refused
    if (!code || !isMeantFor(code, form)) return undefined;
    const family = randomToken();
    const grantId = await createGrant(db, code, hashToken(family));
    await db.query(
      sql`update users.mcp_codes set grant_id = ${grantId} where hash = ${hash}`,
    );
    return issue(db, { grantId, family, scopes: code.scopes });
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
    // clients of OAuth 2.1 do not repeat it
    (form.get("redirect_uri") ?? code.redirectUri) === code.redirectUri
  );
}

async function createGrant(db: Database, code: Code, familyHash: string): Promise<string> {
  const id = uuidv7();
  const { userId, clientId, clientName, scopes, tools, redirectUri } = code;
  await db.query(sql`delete from users.mcp_grants where expires_at < now()`);
  if (isRegistration(clientId)) await endEarlier(db, userId, clientId);
  await db.query(sql`delete from users.mcp_grants where id in (
    select id from users.mcp_grants where user_id = ${userId}
    order by created_at desc offset ${MAX_GRANTS - 1})`);
  await db.query(sql`insert into users.mcp_grants
      (id, user_id, client_id, client_name, redirect_host, scopes, tools, family_hash, expires_at)
    values (${id}, ${userId}, ${clientId}, ${clientName}, ${hostOf(redirectUri)}, ${scopes},
      ${tools}::text[], ${familyHash}, now() + ${REFRESH_DAYS} * interval '1 day')`);
  await recordEvent(db, userId, {
    action: "mcp_client.granted",
    resourceType: "mcp_client",
    resourceId: id,
    details: { name: clientName, client: clientId, scopes, ...(tools && { tools }) },
  });
  return id;
}

/**
 * A registration is one installation, which has forgotten what it got before. A document stands for
 * all installations of a program, which go on.
 */
async function endEarlier(db: Database, userId: string, clientId: string): Promise<void> {
  const earlier = await db.query<{ id: string }>(sql`select id from users.mcp_grants
    where user_id = ${userId} and client_id = ${clientId}`);
  for (const { id } of earlier) await endGrant(db, userId, id, "replaced");
}

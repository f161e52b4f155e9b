import { createHash } from "node:crypto";
import sql from "sql-template-tag";
import { expect, test } from "vitest";
import { migrate } from "../../../platform/db/migrate.ts";
import { silentLog } from "../../../platform/telemetry/log.ts";
import { testDatabase } from "../../../platform/testing/database.ts";
import { insertUser } from "../accounts/users-store.ts";
import { hashToken } from "../sign-in/sessions.ts";
import { answerTokens, verifyMcpToken } from "./tokens.ts";

const publicUrl = "https://parlance.example";
const VERIFIER = "v".repeat(43);
const REDIRECT = "http://127.0.0.1/callback";

/** A user who has granted something to a client. */
async function openGrant() {
  const db = await testDatabase();
  const folder = new URL("../migrations/", import.meta.url);
  await migrate(db, { schema: "users", folder, log: silentLog() });
  const { id } = await insertUser(db, {
    id: crypto.randomUUID(),
    clientId: "default",
    email: "user@test.example",
    name: "User",
    roles: ["user"],
    passwordHash: null,
  });
  const challenge = createHash("sha256").update(VERIFIER).digest("base64url");
  await db.query(sql`insert into users.mcp_codes
      (hash, user_id, client_id, client_name, redirect_uri, challenge, scopes, expires_at)
    values (${hashToken("code")}, ${id}, 'client', 'Editor', ${REDIRECT}, ${challenge},
      ${["tool:use"]}, now() + interval '1 minute')`);
  const ask = (form: Record<string, string>) =>
    answerTokens({ db, publicUrl }, new URLSearchParams({ client_id: "client", ...form }));
  const exchange = () =>
    ask({
      grant_type: "authorization_code",
      code: "code",
      redirect_uri: REDIRECT,
      code_verifier: VERIFIER,
    });
  const renew = (token: string) =>
    ask({ grant_type: "refresh_token", refresh_token: token });
  return { db, exchange, renew, [Symbol.asyncDispose]: () => db[Symbol.asyncDispose]() };
}

test("a token renews twice at the same time; later use ends what was granted", async () => {
  await using one = await openGrant();
  const { refresh_token: token } = await one.exchange();
  const [first, second] = await Promise.all([one.renew(token), one.renew(token)]);
  for (const { access_token: access } of [first, second])
    expect(await verifyMcpToken(one.db, access)).toMatchObject({
      user: { scopes: ["tool:use"] },
    });
  await one.db.query(
    sql`update users.mcp_tokens set used_at = used_at - interval '11 seconds'`,
  );
  await expect(one.renew(token)).rejects.toMatchObject({ code: "invalid_grant" });
  for (const { access_token: access } of [first, second])
    await expect(verifyMcpToken(one.db, access)).rejects.toMatchObject({
      code: "mcp_token_invalid",
    });
});

test("a code that is sent twice at once gives one grant at most, and a code has an end", async () => {
  await using one = await openGrant();
  const both = await Promise.allSettled([one.exchange(), one.exchange()]);
  expect(both.filter(({ status }) => status === "fulfilled").length).toBeLessThan(2);
  await using other = await openGrant();
  await other.db.query(sql`update users.mcp_codes set expires_at = now()`);
  await expect(other.exchange()).rejects.toMatchObject({ code: "invalid_grant" });
});

test("an access token has an end, and is none to renew with", async () => {
  await using one = await openGrant();
  const { access_token: access, refresh_token: renewing } = await one.exchange();
  await expect(one.renew(access)).rejects.toMatchObject({ code: "invalid_grant" });
  await expect(verifyMcpToken(one.db, renewing)).rejects.toMatchObject({
    code: "mcp_token_invalid",
  });
  await one.db.query(sql`update users.mcp_tokens set expires_at = now()`);
  await expect(verifyMcpToken(one.db, access)).rejects.toMatchObject({
    code: "mcp_token_invalid",
  });
});

import { createHash } from "node:crypto";
import sql from "sql-template-tag";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Database } from "../../../platform/db/database.ts";
import { migrate } from "../../../platform/db/migrate.ts";
import type { Outgoing } from "../../../platform/outgoing/outgoing.ts";
import { silentLog } from "../../../platform/telemetry/log.ts";
import { testDatabase } from "../../../platform/testing/database.ts";
import { hashToken } from "../../../platform/auth/secrets.ts";
import { applyChange } from "../accounts/manage-users.ts";
import { insertUser } from "../accounts/users-store.ts";
import { adoptAccounts } from "../scim/adopt-accounts.ts";
import { endSessions } from "../sign-in/sessions.ts";
import { decideAuthorization, readAuthorization } from "./authorize.ts";
import { MAX_CLIENTS, registerClient } from "./find-client.ts";
import { deleteGrant } from "./grants.ts";
import { answerTokens, verifyMcpToken } from "./tokens.ts";

const publicUrl = "https://parlance.example";
const VERIFIER = "v".repeat(43);
const REDIRECT = "http://127.0.0.1/callback";
const FROM = { network: "192.0.2.1", site: "192.0.2.1" };

let db: Database;
beforeAll(async () => {
  db = await testDatabase();
  const folder = new URL("../migrations/", import.meta.url);
  await migrate(db, { schema: "users", folder, log: silentLog() });
});
afterAll(() => db[Symbol.asyncDispose]());

/** A user who has granted something to a client. */
async function openGrant() {
  const code = crypto.randomUUID();
  const { id } = await insertUser(db, {
    id: crypto.randomUUID(),
    clientId: "default",
    email: `${code}@test.example`,
    name: "User",
    roles: ["user"],
    passwordHash: null,
  });
  const challenge = createHash("sha256").update(VERIFIER).digest("base64url");
  await db.query(sql`insert into users.mcp_codes
      (hash, user_id, client_id, client_name, redirect_uri, challenge, scopes, expires_at)
    values (${hashToken(code)}, ${id}, 'client', 'Editor', ${REDIRECT}, ${challenge},
      ${["tool:use"]}, now() + interval '1 minute')`);
  const ask = (form: Record<string, string>) =>
    answerTokens({ db, publicUrl }, new URLSearchParams({ client_id: "client", ...form }));
  const exchange = () =>
    ask({
      grant_type: "authorization_code",
      code,
      redirect_uri: REDIRECT,
      code_verifier: VERIFIER,
    });
  const renew = (token: string) =>
    ask({ grant_type: "refresh_token", refresh_token: token });
  const verify = (token: string) =>
    verifyMcpToken(db, token).then(
      () => "good",
      ({ code }: { code: string }) => code,
    );
  return { id, code, ask, exchange, renew, verify };
}

test("a token renews twice at the same time; later use ends what was granted", async () => {
  const one = await openGrant();
  const { refresh_token: token } = await one.exchange();
  const [first, second] = await Promise.all([one.renew(token), one.renew(token)]);
  for (const { access_token: access } of [first, second])
    expect(await verifyMcpToken(db, access)).toMatchObject({
      user: { scopes: ["tool:use"] },
    });
  await db.query(
    sql`update users.mcp_tokens set used_at = used_at - interval '11 seconds'`,
  );
  await expect(one.renew(token)).rejects.toMatchObject({ code: "invalid_grant" });
  for (const { access_token: access } of [first, second])
    await expect(verifyMcpToken(db, access)).rejects.toMatchObject({
      code: "mcp_token_invalid",
    });
});

test("a code that is sent twice at once gives one grant at most, and a code has an end", async () => {
  const one = await openGrant();
  const both = await Promise.allSettled([one.exchange(), one.exchange()]);
  const given = both.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
  expect(given).toHaveLength(1);
  expect(await one.verify(given[0]?.access_token ?? "")).toBe("mcp_token_invalid");
  expect(
    await db.query(sql`select id from users.mcp_grants where user_id = ${one.id}`),
  ).toEqual([]);
  const other = await openGrant();
  await db.query(sql`update users.mcp_codes set expires_at = now()`);
  await expect(other.exchange()).rejects.toMatchObject({ code: "invalid_grant" });
});

test("an access token has an end, and is none to renew with", async () => {
  const one = await openGrant();
  const { access_token: access, refresh_token: renewing } = await one.exchange();
  await expect(one.renew(access)).rejects.toMatchObject({ code: "invalid_grant" });
  await expect(verifyMcpToken(db, renewing)).rejects.toMatchObject({
    code: "mcp_token_invalid",
  });
  await db.query(sql`update users.mcp_tokens set expires_at = now()`);
  expect(await one.verify(access)).toBe("token_expired");
  // streams outlive what has merely expired, also when their client renews meanwhile
  await db.query(sql`update users.mcp_tokens set expires_at = now() + interval '1 day'
    where kind = 'refresh'`);
  await one.renew(renewing);
  expect(await one.verify(access)).toBe("token_expired");
  await db.query(sql`update users.users set disabled = true where id = ${one.id}`);
  expect(await one.verify(access)).toBe("mcp_token_invalid");
});

test("a stolen token that is not kept any more is still known when its client sends it", async () => {
  const one = await openGrant();
  const { refresh_token: stolen } = await one.exchange();
  const first = await one.renew(stolen);
  await db.query(
    sql`update users.mcp_tokens set used_at = used_at - interval '11 seconds'`,
  );
  const thiefs = await one.renew(first.refresh_token);
  const kept = sql`select hash from users.mcp_tokens where hash = ${hashToken(stolen)}`;
  expect(await db.query(kept)).toEqual([]);
  expect(await one.verify(thiefs.access_token)).toBe("good");
  await expect(one.renew(stolen)).rejects.toMatchObject({ code: "invalid_grant" });
  expect(await one.verify(thiefs.access_token)).toBe("mcp_token_invalid");
});

test("renewing too often is refused, and ends neither a token nor the grant", async () => {
  const one = await openGrant();
  const { refresh_token: token, access_token: access } = await one.exchange();
  await db.query(sql`insert into users.mcp_tokens (hash, grant_id, kind, expires_at)
    select id || '-' || nr, id, 'access', now() + interval '2 hours'
    from users.mcp_grants, generate_series(1, 98) nr where user_id = ${one.id}`);
  const { refresh_token: next } = await one.renew(token);
  expect(await one.verify(access)).toBe("good");
  await expect(one.renew(next)).rejects.toMatchObject({ code: "mcp_clients_limited" });
  expect(await one.verify(access)).toBe("good");
  await db.query(sql`update users.mcp_tokens set expires_at = now() where kind = 'access'`);
  expect(await one.verify((await one.renew(next)).access_token)).toBe("good");
});

test("an unused token that is old ends nothing, and none renews another client's", async () => {
  const one = await openGrant();
  const { refresh_token: token, access_token: access } = await one.exchange();
  await db.query(
    sql`update users.mcp_tokens set expires_at = now() where kind = 'refresh'`,
  );
  await expect(one.renew(token)).rejects.toMatchObject({ code: "invalid_grant" });
  const other = { grant_type: "refresh_token", refresh_token: token, client_id: "other" };
  await expect(one.ask(other)).rejects.toMatchObject({ code: "invalid_grant" });
  expect(await one.verify(access)).toBe("good");
});

test("a registration lasts as long as it is used, and one that is forgotten is said to be", async () => {
  const one = await openGrant();
  const register = () => registerClient(db, { redirect_uris: [REDIRECT] }, FROM);
  const { id: client_id } = await register();
  await db.query(
    sql`update users.mcp_codes set client_id = ${client_id} where user_id = ${one.id}`,
  );
  const { refresh_token } = await one.ask({
    grant_type: "authorization_code",
    code: one.code,
    code_verifier: VERIFIER,
    client_id,
  });
  const age = () =>
    db.query(sql`update users.mcp_clients set used_at = now() - interval '91 days'
      where id = ${client_id}`);
  const renewal = { grant_type: "refresh_token", refresh_token, client_id };
  await age();
  await one.ask(renewal);
  await db.query(sql`delete from users.mcp_grants`);
  await register();
  await expect(one.ask(renewal)).rejects.toMatchObject({ code: "invalid_grant" });
  await age();
  await register();
  await expect(one.ask(renewal)).rejects.toMatchObject({ code: "invalid_client" });
});

test("a registration lasts when its user disconnects it after long", async () => {
  const one = await openGrant();
  const { id: clientId } = await registerClient(db, { redirect_uris: [REDIRECT] }, FROM);
  await one.exchange();
  await db.query(sql`update users.mcp_grants set client_id = ${clientId}
    where user_id = ${one.id}`);
  await db.query(sql`update users.mcp_clients set used_at = now() - interval '91 days'`);
  const [grant] = await db.query<{ id: string }>(sql`select id from users.mcp_grants
    where user_id = ${one.id}`);
  await deleteGrant(db, one.id, grant?.id ?? "");
  await registerClient(db, { redirect_uris: [REDIRECT] }, FROM);
  const kept = await db.query(sql`select id from users.mcp_clients where id = ${clientId}`);
  expect(kept).toHaveLength(1);
});

test.each([
  ["kind", { grant_type: "" }],
  ["client", { grant_type: "refresh_token", refresh_token: "x", client_id: "" }],
  ["token", { grant_type: "refresh_token" }],
  ["code", { grant_type: "authorization_code", code_verifier: VERIFIER }],
  ["verifier", { grant_type: "authorization_code", code: "code" }],
])("a request without a %s is no request", async (_, form) => {
  const one = await openGrant();
  await expect(one.ask(form)).rejects.toMatchObject({ code: "invalid_request" });
});

test("an account that an identity provider takes over keeps nothing that was granted", async () => {
  const one = await openGrant();
  const { id } = one;
  const { access_token: access, refresh_token: renewing } = await one.exchange();
  await db.query(sql`update users.users set signed_up = true where id = ${id}`);
  await db.query(sql`update users.mcp_codes set used_at = null, grant_id = null
    where user_id = ${id}`);
  await db.tx(() => adoptAccounts(db, [id], "scim:one"));
  expect(await one.verify(access)).toBe("mcp_token_invalid");
  await expect(one.renew(renewing)).rejects.toMatchObject({ code: "invalid_grant" });
  await expect(one.exchange()).rejects.toMatchObject({ code: "invalid_grant" });
});

const request = {
  response_type: "code",
  redirect_uri: REDIRECT,
  code_challenge: "c".repeat(43),
  code_challenge_method: "S256",
};

test("of an account whose sessions end while the client's document is read, nothing is granted", async () => {
  const one = await openGrant();
  const client_id = "https://editor.example/client.json";
  const outgoing = {
    check: () => undefined,
    fetch: async () => {
      await db.tx(() => endSessions(db, one.id));
      return Response.json({ client_id, redirect_uris: [REDIRECT] });
    },
  } as unknown as Outgoing; // the two that are called
  const body = { request: { ...request, client_id }, scopes: ["tool:use" as const] };
  const { signal } = new AbortController();
  const decided = decideAuthorization({ db, outgoing, publicUrl }, one.id, body, signal);
  await expect(decided).rejects.toMatchObject({ code: "token_revoked" });
});

test.each(["auth0|123", crypto.randomUUID()])(
  "%s of another issuer grants nothing, and is not asked",
  async (who) => {
    const { id: client_id } = await registerClient(db, { redirect_uris: [REDIRECT] }, FROM);
    const deps = { db, publicUrl, outgoing: {} as Outgoing }; // a registered client needs none
    const asked = { ...request, client_id };
    const { signal } = new AbortController();
    const foreign = { status: 403, code: "mcp_grant_foreign" };
    await expect(readAuthorization(deps, who, asked, signal)).rejects.toMatchObject(
      foreign,
    );
    const body = { request: asked, scopes: ["tool:use" as const] };
    const decided = decideAuthorization(deps, who, body, signal);
    await expect(decided).rejects.toMatchObject(foreign);
  },
);

test("a new password ends what was granted, and codes that were not exchanged", async () => {
  const one = await openGrant();
  const { access_token: access } = await one.exchange();
  await db.tx(() => applyChange(db, one.id, { roles: ["user", "editor"] }, "admin"));
  expect(await one.verify(access)).toBe("good");
  await db.tx(() => applyChange(db, one.id, { passwordHash: "another" }, "admin"));
  expect(await one.verify(access)).toBe("mcp_token_invalid");
  const other = await openGrant();
  await db.tx(() => applyChange(db, other.id, { passwordHash: "another" }, "admin"));
  await expect(other.exchange()).rejects.toMatchObject({ code: "invalid_grant" });
});

test("the page shows the address of the document that says who a client is", async () => {
  const one = await openGrant();
  const client_id = "https://editor.example/clients/one.json";
  const outgoing = {
    check: () => undefined,
    fetch: async () => Response.json({ client_id, redirect_uris: [REDIRECT] }),
  } as unknown as Outgoing; // the two that are called
  const { signal } = new AbortController();
  const asked = { ...request, client_id };
  const deps = { db, outgoing, publicUrl };
  expect(await readAuthorization(deps, one.id, asked, signal)).toMatchObject({
    clientHost: "editor.example",
    clientDocument: client_id,
  });
});

/** Registrations that are there already, used after all others. */
const fill = (count: number, networks: number, site: string) =>
  db.query(sql`insert into users.mcp_clients (id, name, redirect_uris, network, site, used_at)
    select ${site} || n, 'Flood', '{}', ${hashToken(site)} || n % ${networks}::int,
      ${hashToken(site)}, now() + interval '1 hour' from generate_series(1, ${count}::int) n`);
const countOf = async (site: string) => {
  const [row] = await db.query<{ count: number }>(sql`select count(*)::int as count
    from users.mcp_clients where site = ${hashToken(site)}`);
  return row?.count;
};
const isThere = async (id: string) =>
  (await db.query(sql`select id from users.mcp_clients where id = ${id}`)).length === 1;

test("a flood of registrations from one network or site takes no room from others", async () => {
  await db.query(sql`delete from users.mcp_clients`);
  const uris = { redirect_uris: [REDIRECT] };
  const honest = await registerClient(db, uris, { network: "a", site: "a" });
  await db.query(sql`insert into users.mcp_clients
      (id, name, redirect_uris, network, site, used_at)
    select 'n' || n, 'Flood', '{}', ${hashToken("flood")}, ${hashToken("flood")}, now()
    from generate_series(1, 600) n`);
  await registerClient(db, uris, { network: "flood", site: "flood" });
  expect(await countOf("flood")).toBe(500);
  // as many networks as a /48 has
  await fill(2_000, 2_000, "wide");
  await registerClient(db, uris, { network: "new", site: "wide" });
  expect(await countOf("wide")).toBe(1_000);
  expect(await isThere(honest.id)).toBe(true);
});

test("when there is no room, one of the site that has most makes it", async () => {
  await db.query(sql`delete from users.mcp_clients`);
  const uris = { redirect_uris: [REDIRECT] };
  const honest = await registerClient(db, uris, { network: "a", site: "a" });
  await fill(MAX_CLIENTS, 100, "most");
  const other = await registerClient(db, uris, { network: "b", site: "b" });
  expect([await isThere(honest.id), await isThere(other.id)]).toEqual([true, true]);
  expect(await countOf("most")).toBe(MAX_CLIENTS - 1);
});

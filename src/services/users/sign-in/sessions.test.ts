import { decodeJwt } from "jose";
import sql from "sql-template-tag";
import { expect, test } from "vitest";
import { randomSecret } from "../../../platform/auth/secrets.ts";
import { migrate } from "../../../platform/db/migrate.ts";
import { silentLog } from "../../../platform/telemetry/log.ts";
import { testDatabase } from "../../../platform/testing/database.ts";
import { exchangeCookie, startBrowserSession } from "./browser-sessions.ts";
import { listSessions } from "./list-sessions.ts";
import { changeUser, getUser } from "../accounts/manage-users.ts";
import {
  credentialsWrong,
  refreshSession,
  startSession,
  startVerified,
} from "./sessions.ts";
import { loadSigningKeys } from "./signing-keys.ts";
import { insertUser } from "../accounts/users-store.ts";

const DAY_MS = 86_400_000;

async function openUser() {
  const db = await testDatabase();
  const folder = new URL("../migrations/", import.meta.url);
  await migrate(db, { schema: "users", folder, log: silentLog() });
  const user = await insertUser(db, {
    id: crypto.randomUUID(),
    clientId: "default",
    email: "user@test.example",
    name: "User",
    roles: ["user"],
    passwordHash: null,
  });
  const deps = {
    db,
    keys: await loadSigningKeys(db, randomSecret(32)),
    revocations: { refresh: async () => {} },
    issuer: "parlance",
    audience: "parlance",
    accessTtlMs: 60_000,
    refreshTtlMs: DAY_MS,
  };
  return { deps, user, [Symbol.asyncDispose]: () => db[Symbol.asyncDispose]() };
}

test("a refresh token is accepted twice within the grace period; later use ends the session", async () => {
  await using opened = await openUser();
  const { deps, user } = opened;
  const { refreshToken } = await startSession(deps, user);
  const [first, second] = await Promise.all([
    refreshSession(deps, refreshToken),
    refreshSession(deps, refreshToken),
  ]);
  expect(first.refreshToken).not.toBe(second.refreshToken);
  await deps.db.query(
    sql`update users.refresh_tokens set used_at = used_at - interval '11 seconds'`,
  );
  await expect(refreshSession(deps, refreshToken)).rejects.toMatchObject({
    code: "refresh_token_invalid",
  });
  await expect(refreshSession(deps, first.refreshToken)).rejects.toMatchObject({
    status: 401,
  });
  const [revoked] = await deps.db.query(
    sql`select id from users.revocations where kind = 'session'`,
  );
  expect(revoked).toBeDefined();
});

test("a sign-in during which the user's role changes succeeds with the new role", async () => {
  await using opened = await openUser();
  const { deps, user } = opened;
  let checks = 0;
  const identify = async () => {
    const verified = await getUser(deps.db, user.id);
    checks += 1;
    if (checks === 1) await changeUser(deps, user.id, { roles: ["user", "admin"] });
    return verified;
  };
  const { accessToken } = await startVerified(identify, (one) => startSession(deps, one));
  expect(decodeJwt(accessToken)["roles"]).toEqual(["user", "admin"]);
  expect(checks).toBe(2);
});

test("a sign-in whose proof no longer holds after the change is refused", async () => {
  await using opened = await openUser();
  const { deps, user } = opened;
  let checks = 0;
  const identify = async () => {
    checks += 1;
    if (checks > 1) throw credentialsWrong();
    const verified = await getUser(deps.db, user.id);
    await changeUser(deps, user.id, { password: "another long password" });
    return verified;
  };
  await expect(
    startVerified(identify, (one) => startSession(deps, one)),
  ).rejects.toMatchObject({ code: "credentials_wrong" });
});

test("a browser session that is used goes on, and one that is not used expires", async () => {
  await using opened = await openUser();
  const { deps, user } = opened;
  const { cookie } = await startBrowserSession(deps, user, {
    userAgent: "",
    isSecure: true,
  });
  const wait = (time: string) =>
    deps.db
      .query(sql`update users.sessions set last_used_at = last_used_at - ${time}::interval,
      expires_at = expires_at - ${time}::interval`);
  for (let days = 0; days < 3; days += 1) {
    await wait("20 hours");
    expect((await exchangeCookie(deps, cookie)).accessToken).toMatch(/^eyJ/);
  }
  await wait("25 hours");
  await expect(exchangeCookie(deps, cookie)).rejects.toMatchObject({
    code: "session_ended",
  });
  expect((await listSessions(deps.db, user.id, 10, 0)).total).toBe(0);
});

test("the database holds no cookie, only its hash", async () => {
  await using opened = await openUser();
  const { deps, user } = opened;
  const { cookie } = await startBrowserSession(deps, user, {
    userAgent: "",
    isSecure: false,
  });
  const rows = await deps.db.query(
    sql`select row_to_json(s)::text as row from users.sessions s`,
  );
  expect(JSON.stringify(rows)).not.toContain(cookie.slice(3));
});

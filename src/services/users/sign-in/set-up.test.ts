import { expect, test } from "vitest";
import { randomSecret } from "../../../platform/auth/secrets.ts";
import { memoryCache } from "../../../platform/cache/memory.ts";
import { migrate } from "../../../platform/db/migrate.ts";
import { silentLog } from "../../../platform/telemetry/log.ts";
import { testDatabase } from "../../../platform/testing/database.ts";
import { ensureAdministrator } from "./ensure-administrator.ts";
import { createGuessLimit } from "./limit-guesses.ts";
import { signIn } from "./sign-in.ts";
import { loadSigningKeys } from "./signing-keys.ts";
import { needsSetup, setUp } from "./set-up.ts";

const EMAIL = "admin@test.example";
const PASSWORD = "a password of one's own";
const PEER = "127.0.0.1";

async function openInstallation(given?: string) {
  const db = await testDatabase();
  const folder = new URL("../migrations/", import.meta.url);
  await migrate(db, { schema: "users", folder, log: silentLog() });
  const cache = memoryCache();
  const deps = {
    db,
    guesses: createGuessLimit(cache, 20, async () => {}),
    keys: await loadSigningKeys(db, randomSecret(32)),
    revocations: { refresh: async () => {} },
    issuer: "parlance",
    audience: "parlance",
    accessTtlMs: 60_000,
    refreshTtlMs: 60_000,
  };
  const created = await ensureAdministrator(db, "default", EMAIL, given);
  return {
    deps,
    code: created?.password ?? "",
    async [Symbol.asyncDispose]() {
      await cache[Symbol.asyncDispose]();
      await db[Symbol.asyncDispose]();
    },
  };
}

test("the printed password sets the administrator's own password, once", async () => {
  await using installation = await openInstallation();
  const { deps, code } = installation;
  expect(await needsSetup(deps.db)).toBe(true);
  await expect(
    setUp(deps, { code: "a guess", password: PASSWORD }, PEER),
  ).rejects.toMatchObject({
    status: 403,
    code: "setup_code_wrong",
  });
  const answer = await setUp(
    deps,
    { code, password: PASSWORD, email: "ada@test.example" },
    PEER,
  );
  expect(answer).toEqual({ email: "ada@test.example" });
  expect(await needsSetup(deps.db)).toBe(false);
  const again = { code, password: "another long password" };
  await expect(setUp(deps, again, PEER)).rejects.toMatchObject({ code: "already_set_up" });
  const user = await signIn(deps, { email: answer.email, password: PASSWORD }, PEER);
  expect(user.roles).toContain("admin");
  const printed = { email: answer.email, password: code };
  await expect(signIn(deps, printed, PEER)).rejects.toMatchObject({ status: 401 });
});

test("guesses of the printed password are limited", async () => {
  await using installation = await openInstallation();
  const { deps, code } = installation;
  for (let guess = 0; guess < 5; guess += 1)
    await expect(
      setUp(deps, { code: `guess ${guess}`, password: PASSWORD }, PEER),
    ).rejects.toMatchObject({ status: 403 });
  await expect(setUp(deps, { code, password: PASSWORD }, PEER)).rejects.toMatchObject({
    status: 429,
  });
});

test("an administrator with a configured password needs no setup", async () => {
  await using installation = await openInstallation("configured password");
  const { deps } = installation;
  expect(await needsSetup(deps.db)).toBe(false);
  const attempt = { code: "configured password", password: PASSWORD };
  await expect(setUp(deps, attempt, PEER)).rejects.toMatchObject({
    code: "already_set_up",
  });
});

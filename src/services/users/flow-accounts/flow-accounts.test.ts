import sql from "sql-template-tag";
import { expect, test } from "vitest";
import { randomSecret } from "../../../platform/auth/secrets.ts";
import { migrate } from "../../../platform/db/migrate.ts";
import { silentLog } from "../../../platform/telemetry/log.ts";
import { testDatabase } from "../../../platform/testing/database.ts";
import { changeFlowAccount, createFlowAccount, getFlowAccount } from "./flow-accounts.ts";

test("stored passwords and keys are encrypted, and only the right key opens them", async () => {
  await using db = await testDatabase();
  await migrate(db, {
    schema: "users",
    folder: new URL("../migrations/", import.meta.url),
    log: silentLog(),
  });
  const deps = { db, encryptionKey: randomSecret() };
  await createFlowAccount(deps, {
    userId: "anne",
    username: "anne",
    password: "planted-password",
  });
  await changeFlowAccount(deps, "anne", { apiKey: "planted-key" });
  const stored = JSON.stringify(await db.query(sql`select * from users.flow_accounts`));
  expect(stored).toContain("anne");
  expect(stored).not.toContain("planted");
  expect(await getFlowAccount(deps, "anne")).toMatchObject({
    password: "planted-password",
    apiKey: "planted-key",
  });
  await expect(
    getFlowAccount({ db, encryptionKey: randomSecret() }, "anne"),
  ).rejects.toThrow("ENCRYPTION_KEY");
});

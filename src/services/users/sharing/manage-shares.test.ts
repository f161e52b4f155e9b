import { afterAll, beforeAll, expect, test } from "vitest";
import type { Database } from "../../../platform/db/database.ts";
import { migrate } from "../../../platform/db/migrate.ts";
import { silentLog } from "../../../platform/telemetry/log.ts";
import { testDatabase } from "../../../platform/testing/database.ts";
import { knowUsers } from "../testing/know-users.ts";
import { registerFeature } from "./features-store.ts";
import { createShares, deleteShare, listShares } from "./manage-shares.ts";

const resource = { resourceType: "document", resourceId: "shared" } as const;
let db: Database;
let shareId: string;

beforeAll(async () => {
  db = await testDatabase();
  const folder = new URL("../migrations/", import.meta.url);
  await migrate(db, { schema: "users", folder, log: silentLog() });
  await knowUsers(db, ["olga", "bob"]);
  const { featureId } = await registerFeature(db, { ...resource, ownerId: "olga" });
  await createShares({ db, maxShares: 100 }, "olga", featureId, [
    { subjectType: "user", subjectId: "bob", accessRole: "viewer" },
  ]);
  const { items } = await listShares(db, "olga", resource, 100, 0);
  shareId = items.find(({ subjectId }) => subjectId === "bob")?.id ?? "";
});
afterAll(() => db[Symbol.asyncDispose]());

test("who may not revoke a share does not learn that there is one", async () => {
  await expect(deleteShare(db, "eve", shareId)).rejects.toMatchObject({
    code: "share_not_found",
  });
});

test("a share whose owners cannot be looked up now is not called absent", async () => {
  const away = new Error("the database is away");
  const failing = new Proxy(db, {
    get(target, name: keyof Database) {
      if (name !== "query") return target[name];
      return async (statement: { text: string }) => {
        if (statement.text.includes("for update of share"))
          return target.query(statement as Parameters<Database["query"]>[0]);
        throw away;
      };
    },
  });
  await expect(deleteShare(failing, "olga", shareId)).rejects.toBe(away);
});

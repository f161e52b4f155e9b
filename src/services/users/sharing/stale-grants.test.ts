import sql from "sql-template-tag";
import { afterAll, beforeAll, expect, test } from "vitest";
import { held } from "../../../../test/support/held.ts";
import type { Database } from "../../../platform/db/database.ts";
import { migrate } from "../../../platform/db/migrate.ts";
import { silentLog } from "../../../platform/telemetry/log.ts";
import { testDatabase } from "../../../platform/testing/database.ts";
import { addMember, removeMember } from "../groups/change-members.ts";
import { insertGroup } from "../groups/groups-store.ts";
import { knowUsers } from "../testing/know-users.ts";
import { decideAccess } from "./decide-access.ts";
import { registerFeature } from "./features-store.ts";
import { createShares, deleteShare, listShares } from "./manage-shares.ts";

const READS = Number(process.env["STALE_READS"] ?? 1_000);
const READERS = 20;
const resource = { resourceType: "document", resourceId: "changing" } as const;
const OWNER = "olga";
let db: Database;
let featureId: string;
let groupId: string;

beforeAll(async () => {
  db = await testDatabase();
  await migrate(db, {
    schema: "users",
    folder: new URL("../migrations/", import.meta.url),
    log: silentLog(),
  });
  await knowUsers(db, [OWNER, ...GRANTS.map(({ reader }) => reader)]);
  ({ featureId } = await registerFeature(db, { ...resource, ownerId: OWNER }));
  ({ id: groupId } = await insertGroup({ db, maxGroups: 100 }, "default", {
    name: "team",
  }));
});
afterAll(() => db[Symbol.asyncDispose]());

/** Rights that are granted and revoked, each in its own way. */
const GRANTS = [
  {
    reader: "by-share",
    grant: () => share("user", "by-share"),
    revoke: () => revokeShare("by-share"),
  },
  {
    reader: "by-group",
    grant: async () => {
      await share("group", groupId);
      await addMember({ db, maxMembers: 100, maxGroupsOfUser: 100 }, groupId, "by-group");
    },
    revoke: () => removeMember(db, groupId, "by-group"),
  },
];

async function share(subjectType: "user" | "group", subjectId: string): Promise<void> {
  await createShares({ db, maxShares: 100 }, OWNER, featureId, [
    { subjectType, subjectId, accessRole: "viewer" },
  ]);
}
async function revokeShare(subjectId: string): Promise<void> {
  const { items } = await listShares(db, OWNER, resource, 100, 0);
  const found = items.find((one) => one.subjectId === subjectId);
  await deleteShare(db, OWNER, found?.id ?? "");
}

/** Caches decisions, which the test must detect. */
function cached(decide: typeof decideAccess): typeof decideAccess {
  const known = new Map<string, ReturnType<typeof decideAccess>>();
  return (on, user, resources) => {
    const decision = known.get(user) ?? decide(on, user, resources);
    known.set(user, decision);
    return decision;
  };
}

/** A writer revokes a right and then writes; readers check and then read. @returns stale reads. */
async function countStaleReads(
  reads: number,
  decide: typeof decideAccess,
): Promise<number> {
  let stale = 0;
  for (let done = 0; done < reads;) {
    for (const { reader, grant, revoke } of GRANTS) {
      await grant();
      let content = "before";
      const read = async () => {
        const before = content;
        const [role] = await decide(db, reader, [resource]);
        if (before !== "secret") return;
        done += 1;
        if (role !== null) stale += 1;
      };
      const early = Array.from({ length: READERS }, read);
      await revoke();
      content = "secret";
      await Promise.all([...early, ...Array.from({ length: READERS }, read)]);
    }
  }
  return stale;
}

test("no reader who checks after the revocation is admitted", async () => {
  expect(await countStaleReads(READS, decideAccess)).toBe(0);
  held("stale-grants", READS);
}, 3_600_000);

test("the same readers are admitted when decisions are cached", async () => {
  await db.query(sql`delete from users.shares`);
  expect(await countStaleReads(READERS * 2, cached(decideAccess))).toBeGreaterThan(0);
});

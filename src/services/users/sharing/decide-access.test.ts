import fc from "fast-check";
import sql from "sql-template-tag";
import { afterAll, beforeAll, expect, test } from "vitest";
import { held } from "../../../../test/support/held.ts";
import type { Database } from "../../../platform/db/database.ts";
import { migrate } from "../../../platform/db/migrate.ts";
import { silentLog } from "../../../platform/telemetry/log.ts";
import { testDatabase } from "../../../platform/testing/database.ts";
import type { AccessRole, Resource } from "../contract-sharing.ts";
import { insertGroup } from "../groups/groups-store.ts";
import { AccessModel, keyOf, strongest } from "../testing/access-model.ts";
import {
  applyStep,
  EXTERNAL_USERS,
  GROUPS,
  OTHER_TENANT_USER,
  RESOURCES,
  SERVICE_USERS,
  step,
  USERS,
} from "../testing/access-steps.ts";
import { knowUsers } from "../testing/know-users.ts";
import { decideAccess } from "./decide-access.ts";
import { explainAccess } from "./explain-access.ts";
import { describeShared, listShared } from "./list-shared.ts";

const RUNS = Number(process.env["ACCESS_GRAPHS"] ?? 120);
const STRANGER = "never seen";

let db: Database;

beforeAll(async () => {
  db = await testDatabase();
  await migrate(db, {
    schema: "users",
    folder: new URL("../migrations/", import.meta.url),
    log: silentLog(),
  });
  await knowUsers(db, EXTERNAL_USERS);
  for (const id of SERVICE_USERS) {
    const clientId = id === OTHER_TENANT_USER ? "another" : "default";
    await db.query(
      sql`insert into users.users (id, client_id, email, name)
        values (${id}, ${clientId}, ${`${id}@test.example`}, 'A')`,
    );
    await db.query(
      sql`insert into users.identities (user_id, issuer, subject, groups)
        values (${id}, 'issuer', ${id}, '{}')`,
    );
  }
});
afterAll(() => db[Symbol.asyncDispose]());

test(
  "decisions, batches, explanations and lists of shared resources agree with the simple model",
  async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 10, maxLength: 40, size: "max" }),
        async (steps) => {
          const groups = await startAgain();
          const model = new AccessModel((id) =>
            id === OTHER_TENANT_USER ? "another" : "default",
          );
          for (const step of steps) await applyStep(db, step, model, groups);
          expect(new Set(await decideAccess(db, STRANGER, RESOURCES))).toEqual(
            new Set([null]),
          );
          for (const id of USERS) {
            const expected = RESOURCES.map((each) => model.roleOf(id, each));
            expect(await decideAccess(db, id, RESOURCES)).toEqual(expected);
            for (const [place, each] of RESOURCES.entries()) {
              expect(await decideAccess(db, id, [each])).toEqual([expected[place]]);
              const grounds = await explain(id, each);
              expect(strongest(grounds.map(({ role }) => role))).toBe(expected[place]);
            }
            await compareLists(model, id);
          }
        },
      ),
      { numRuns: RUNS },
    );
    held("access-model", RUNS);
  },
  600_000 + RUNS * 1_000,
);

/** Empties the store. @returns new groups, which are the identity provider's too. */
async function startAgain(): Promise<string[]> {
  await db.query(sql`delete from users.features`);
  await db.query(sql`delete from users.groups`);
  await db.query(sql`update users.users set disabled = false`);
  await db.query(sql`update users.identities set groups = '{}'`);
  const groups: string[] = [];
  for (const n of GROUPS) {
    const group = { name: `group ${n}`, externalName: `claim ${n}` };
    groups.push((await insertGroup({ db, maxGroups: 100 }, "default", group)).id);
  }
  return groups;
}

/** The grounds of a user's access; none without access. */
async function explain(userId: string, resource: Resource) {
  const explained = await explainAccess(db, userId, resource).catch((error) => {
    expect(error).toMatchObject({ code: "resource_not_found" });
    return { grounds: [] };
  });
  return explained.grounds;
}

/** Lists what is shared with a user: all of it, and alone what is shared itself. */
async function compareLists(model: AccessModel, userId: string): Promise<void> {
  const page = { limit: 100, offset: 0 };
  const all = await listShared(db, userId, { inherited: true, ...page });
  const shared = RESOURCES.flatMap((each): [string, AccessRole][] => {
    const role = model.sharedRole(userId, each);
    return role ? [[keyOf(each), role]] : [];
  });
  expect(new Map(all.items.map((item) => [keyOf(item), item.role]))).toEqual(
    new Map(shared),
  );
  expect(all.total).toBe(shared.length);

  const { items } = await listShared(db, userId, { inherited: false, ...page });
  const described = await describeShared(db, userId, items);
  const explained = new Map<string, { role: AccessRole | null; shares: number }>();
  for (const each of RESOURCES) {
    const grounds = (await explain(userId, each)).filter(({ folderId }) => !folderId);
    const shares = grounds.filter(({ kind }) => kind === "user" || kind === "group");
    if (shares.length > 0 && !grounds.some(({ kind }) => kind === "owner"))
      explained.set(keyOf(each), {
        role: strongest(shares.map(({ role }) => role)),
        shares: shares.length,
      });
  }
  expect(
    new Map(
      described.map((item) => [
        keyOf(item),
        { role: item.role, shares: item.through.length },
      ]),
    ),
  ).toEqual(explained);
}

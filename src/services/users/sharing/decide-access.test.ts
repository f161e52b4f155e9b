import fc from "fast-check";
import sql from "sql-template-tag";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Database } from "../../../platform/db/database.ts";
import { migrate } from "../../../platform/db/migrate.ts";
import { silentLog } from "../../../platform/telemetry/log.ts";
import { testDatabase } from "../../../platform/testing/database.ts";
import type { AccessRole, Resource } from "../contract-sharing.ts";
import { addMember, nestGroup, removeMember, unnestGroup } from "../groups/change-members.ts";
import { insertGroup } from "../groups/groups-store.ts";
import { AccessModel, keyOf, shareKey } from "../testing/access-model.ts";
import { knowUsers } from "../testing/know-users.ts";
import { decideAccess } from "./decide-access.ts";
import { deleteFeature, findFeature, registerFeature } from "./features-store.ts";
import { listShared } from "./list-shared.ts";
import { createShares } from "./manage-shares.ts";
import { held } from "../../../../test/support/held.ts";

const RUNS = Number(process.env["ACCESS_GRAPHS"] ?? 120);
/** Two users of another issuer, and three of this service, of whom one is of another tenant. */
const KNOWN = [
  "01a1fb8b-2522-72b4-a6e7-60a70d8e0001",
  "01a1fb8b-2522-72b4-a6e7-60a70d8e0002",
  "01a1fb8b-2522-72b4-a6e7-60a70d8e0003",
];
const [, , FOREIGN = ""] = KNOWN;
const EXTERNAL = ["ursula", "ugo"];
const USERS = [...EXTERNAL, ...KNOWN];
const STRANGER = "never seen";
const GROUPS = [0, 1, 2, 3];
const FOLDERS: Resource[] = [0, 1, 2, 3].map((n) => ({
  resourceType: "folder",
  resourceId: String(n),
}));
const RESOURCES: Resource[] = [
  ...FOLDERS,
  ...[0, 1, 2].map((n) => ({ resourceType: "document" as const, resourceId: String(n) })),
  { resourceType: "conversation", resourceId: "0" },
];
const GRANTER = "somebody";

let db: Database;

beforeAll(async () => {
  db = await testDatabase();
  await migrate(db, {
    schema: "users",
    folder: new URL("../migrations/", import.meta.url),
    log: silentLog(),
  });
  await knowUsers(db, EXTERNAL);
  for (const id of KNOWN) {
    const clientId = id === FOREIGN ? "another" : "default";
    await db.query(
      sql`insert into users.users (id, client_id, email, name) values (${id}, ${clientId}, ${`${id}@test.example`}, 'A')`,
    );
    await db.query(
      sql`insert into users.identities (user_id, issuer, subject, groups) values (${id}, 'issuer', ${id}, '{}')`,
    );
  }
}, 60_000);
afterAll(() => db[Symbol.asyncDispose]());

const user = fc.constantFrom(...USERS);
const group = fc.constantFrom(...GROUPS);
const resource = fc.constantFrom(...RESOURCES);
const role = fc.constantFrom<AccessRole>("viewer", "commenter", "editor", "owner");
const subject = fc.oneof(
  user.map((id) => ({ subjectType: "user" as const, id })),
  group.map((id) => ({ subjectType: "group" as const, id })),
);
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant("register" as const),
      resource,
      user,
      parent: fc.option(fc.constantFrom(...FOLDERS), { nil: undefined }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant("share" as const), resource, subject, role }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("revoke" as const), resource, subject }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("join" as const), group, user }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("leave" as const), group, user }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("nest" as const), group, child: group }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant("unnest" as const), group, child: group }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("link" as const),
      resource,
      enabled: fc.boolean(),
      ended: fc.boolean(),
      level: fc.constantFrom<AccessRole>("viewer", "commenter", "editor"),
      allowed: fc.option(fc.subarray(USERS)),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("delete" as const), resource }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("disable" as const),
      user: fc.constantFrom(...KNOWN),
      disabled: fc.boolean(),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("claim" as const),
      user: fc.constantFrom(...KNOWN),
      groups: fc.subarray(GROUPS),
    }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

test(
  "the decision, alone and in a batch, and the list of what is shared are those of the slow and obvious model",
  async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 10, maxLength: 40, size: "max" }),
        async (steps) => {
          await db.query(sql`delete from users.features`);
          await db.query(sql`delete from users.groups`);
          await db.query(sql`update users.users set disabled = false`);
          await db.query(sql`update users.identities set groups = '{}'`);
          const groups: string[] = [];
          for (const n of GROUPS)
            groups.push(
              (await insertGroup(db, "default", { name: `group ${n}`, externalName: `claim ${n}` }))
                .id,
            );
          const model = new AccessModel((id) => (id === FOREIGN ? "another" : "default"));
          for (const one of steps) await take(one, model, groups);
          expect(new Set(await decideAccess(db, STRANGER, RESOURCES))).toEqual(new Set([null]));
          for (const id of USERS) {
            const expected = RESOURCES.map((each) => model.roleOf(id, each));
            expect(await decideAccess(db, id, RESOURCES)).toEqual(expected);
            const at = steps.length % RESOURCES.length;
            expect(await decideAccess(db, id, RESOURCES.slice(at, at + 1))).toEqual(
              expected.slice(at, at + 1),
            );
            const { items, total } = await listShared(db, id, {
              inherited: true,
              limit: 100,
              offset: 0,
            });
            const shared = RESOURCES.flatMap((each) =>
              model.sharedRole(id, each) ? [[keyOf(each), model.sharedRole(id, each)]] : [],
            );
            expect(new Map(items.map((item) => [keyOf(item), item.role]))).toEqual(
              new Map(shared as [string, AccessRole][]),
            );
            expect(total).toBe(shared.length);
          }
        },
      ),
      { numRuns: RUNS },
    );
    held("access-model", RUNS);
  },
  600_000 + RUNS * 1_000,
);

const isForeign = (id: string | undefined) => id === FOREIGN;

/**
 * One step in the database and in the model; what the model calls a circle the database must
 * refuse.
 */
async function take(one: Step, model: AccessModel, groups: string[]): Promise<void> {
  const groupId = (n: number) => groups[n] ?? "";
  switch (one.kind) {
    case "register": {
      const key = keyOf(one.resource);
      const parent = one.parent && model.owners.has(keyOf(one.parent)) ? one.parent : undefined;
      const register = registerFeature(db, {
        ...one.resource,
        ownerId: one.user,
        parentId: parent?.resourceId,
      });
      const isCycle = parent && model.isInside(key, keyOf(parent));
      if (isCycle && isForeign(model.owners.get(keyOf(parent))) === isForeign(one.user)) {
        await expect(register).rejects.toMatchObject({ code: "folder_cycle" });
        return;
      }
      if (parent && isForeign(model.owners.get(keyOf(parent))) !== isForeign(one.user)) {
        await expect(register).rejects.toMatchObject({ code: "folder_not_registered" });
        return;
      }
      await register;
      model.owners.set(key, one.user);
      model.parents.set(key, parent && keyOf(parent));
      return;
    }
    case "share": {
      const feature = await findFeature(db, one.resource);
      if (!feature) return;
      const { subjectType, id } = one.subject;
      const subjectId = typeof id === "number" ? groupId(id) : id;
      const share = createShares({ db, maxShares: 100 }, GRANTER, feature.featureId, [
        { subjectType, subjectId, accessRole: one.role },
      ]);
      // the groups are of one tenant
      const isSubjectForeign = subjectType === "user" && isForeign(subjectId);
      if (isSubjectForeign !== isForeign(feature.ownerId)) {
        await expect(share).rejects.toMatchObject({ code: "subject_not_found" });
        return;
      }
      await share;
      model.shares.set(shareKey(one.resource, { subjectType, subjectId }), one.role);
      return;
    }
    case "revoke": {
      const { subjectType, id } = one.subject;
      const subjectId = typeof id === "number" ? groupId(id) : id;
      await db.query(sql`update users.shares set revoked_at = now() where revoked_at is null and subject = ${`${subjectType}:${subjectId}`}
        and feature_id = (select id from users.features where type = ${one.resource.resourceType} and resource_id = ${one.resource.resourceId})`);
      model.shares.delete(shareKey(one.resource, { subjectType, subjectId }));
      return;
    }
    case "join":
      if (isForeign(one.user)) {
        const join = addMember({ db, maxMembers: 100 }, groupId(one.group), one.user);
        await expect(join).rejects.toMatchObject({ code: "user_not_found" });
        return;
      }
      await addMember({ db, maxMembers: 100 }, groupId(one.group), one.user);
      model.members.add(`${groupId(one.group)}>${one.user}`);
      return;
    case "leave":
      await removeMember(db, groupId(one.group), one.user).catch(() => {});
      model.members.delete(`${groupId(one.group)}>${one.user}`);
      return;
    case "nest": {
      const [parent, child] = [groupId(one.group), groupId(one.child)];
      const nest = nestGroup(db, parent, child);
      if (model.isGroupIn(parent, child)) {
        await expect(nest).rejects.toMatchObject({ code: "group_cycle" });
        return;
      }
      await nest;
      model.nested.add(`${parent}>${child}`);
      return;
    }
    case "unnest":
      await unnestGroup(db, groupId(one.group), groupId(one.child)).catch(() => {});
      model.nested.delete(`${groupId(one.group)}>${groupId(one.child)}`);
      return;
    case "link": {
      const feature = await findFeature(db, one.resource);
      if (!feature) return;
      const until = one.ended ? sql`now() - interval '1 second'` : sql`null`;
      await db.query(sql`insert into users.links (feature_id, enabled, access_level, expires_at, allowed_users)
        values (${feature.featureId}, ${one.enabled}, ${one.level}, ${until}, ${one.allowed}::text[])
        on conflict (feature_id) do update set enabled = excluded.enabled, access_level = excluded.access_level,
          expires_at = excluded.expires_at, allowed_users = excluded.allowed_users`);
      if (one.enabled && !one.ended)
        model.links.set(keyOf(one.resource), { level: one.level, allowed: one.allowed });
      else model.links.delete(keyOf(one.resource));
      return;
    }
    case "disable":
      await db.query(sql`update users.users set disabled = ${one.disabled} where id = ${one.user}`);
      if (one.disabled) model.disabled.add(one.user);
      else model.disabled.delete(one.user);
      return;
    case "claim":
      await db.query(
        sql`update users.identities set groups = ${one.groups.map((n) => `claim ${n}`)}::text[] where user_id = ${one.user}`,
      );
      if (!isForeign(one.user)) model.claims.set(one.user, one.groups.map(groupId));
      return;
    case "delete":
      await deleteFeature(db, one.resource);
      model.remove(keyOf(one.resource));
  }
}

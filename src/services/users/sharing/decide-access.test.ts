import fc from "fast-check";
import sql from "sql-template-tag";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Database } from "../../../platform/db/database.ts";
import { migrate } from "../../../platform/db/migrate.ts";
import { silentLog } from "../../../platform/telemetry/log.ts";
import { testDatabase } from "../../../platform/testing/database.ts";
import type { AccessRole, Resource } from "../contract-sharing.ts";
import {
  addMember,
  nestGroup,
  removeMember,
  unnestGroup,
} from "../groups/change-members.ts";
import { insertGroup } from "../groups/groups-store.ts";
import { AccessModel, keyOf, shareKey } from "../testing/access-model.ts";
import { knowUsers } from "../testing/know-users.ts";
import { decideAccess } from "./decide-access.ts";
import { deleteFeature, findFeature, registerFeature } from "./features-store.ts";
import { listShared } from "./list-shared.ts";
import { createShares } from "./manage-shares.ts";
import { held } from "../../../../test/support/held.ts";

const RUNS = Number(process.env["ACCESS_GRAPHS"] ?? 120);
/** Three users of this service, the last of another tenant, and two users of another issuer. */
const SERVICE_USERS = [
  "01a1fb8b-2522-72b4-a6e7-60a70d8e0001",
  "01a1fb8b-2522-72b4-a6e7-60a70d8e0002",
  "01a1fb8b-2522-72b4-a6e7-60a70d8e0003",
];
const [, , OTHER_TENANT_USER = ""] = SERVICE_USERS;
const EXTERNAL_USERS = ["ursula", "ugo"];
const USERS = [...EXTERNAL_USERS, ...SERVICE_USERS];
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
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant("revoke" as const), resource, subject }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("join" as const), group, user }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("leave" as const), group, user }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant("nest" as const), group, child: group }),
  },
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
      user: fc.constantFrom(...SERVICE_USERS),
      disabled: fc.boolean(),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("claim" as const),
      user: fc.constantFrom(...SERVICE_USERS),
      groups: fc.subarray(GROUPS),
    }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

test(
  "single decisions, batches and the list of shared resources agree with the simple model",
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
              (
                await insertGroup({ db, maxGroups: 100 }, "default", {
                  name: `group ${n}`,
                  externalName: `claim ${n}`,
                })
              ).id,
            );
          const model = new AccessModel((id) =>
            id === OTHER_TENANT_USER ? "another" : "default",
          );
          for (const step of steps) await applyStep(step, model, groups);
          expect(new Set(await decideAccess(db, STRANGER, RESOURCES))).toEqual(
            new Set([null]),
          );
          for (const id of USERS) {
            const expected = RESOURCES.map((each) => model.roleOf(id, each));
            expect(await decideAccess(db, id, RESOURCES)).toEqual(expected);
            const place = steps.length % RESOURCES.length;
            expect(await decideAccess(db, id, RESOURCES.slice(place, place + 1))).toEqual(
              expected.slice(place, place + 1),
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

const isOfOtherTenant = (id: string | undefined) => id === OTHER_TENANT_USER;

/**
 * Applies a step to the database and to the model. The database must refuse what is a cycle in the
 * model.
 */
async function applyStep(step: Step, model: AccessModel, groups: string[]): Promise<void> {
  const groupId = (n: number) => groups[n] ?? "";
  switch (step.kind) {
    case "register": {
      const key = keyOf(step.resource);
      const parent =
        step.parent && model.owners.has(keyOf(step.parent)) ? step.parent : undefined;
      const register = registerFeature(db, {
        ...step.resource,
        ownerId: step.user,
        parentId: parent?.resourceId,
      });
      const isCycle = parent && model.isInside(key, keyOf(parent));
      if (
        isCycle &&
        isOfOtherTenant(model.owners.get(keyOf(parent))) === isOfOtherTenant(step.user)
      ) {
        await expect(register).rejects.toMatchObject({ code: "folder_cycle" });
        return;
      }
      if (
        parent &&
        isOfOtherTenant(model.owners.get(keyOf(parent))) !== isOfOtherTenant(step.user)
      ) {
        await expect(register).rejects.toMatchObject({ code: "folder_not_registered" });
        return;
      }
      await register;
      model.owners.set(key, step.user);
      model.parents.set(key, parent && keyOf(parent));
      return;
    }
    case "share": {
      const feature = await findFeature(db, step.resource);
      if (!feature) return;
      const { subjectType, id } = step.subject;
      const subjectId = typeof id === "number" ? groupId(id) : id;
      const share = createShares({ db, maxShares: 100 }, GRANTER, feature.featureId, [
        { subjectType, subjectId, accessRole: step.role },
      ]);
      // all groups belong to the first tenant
      const isSubjectForeign = subjectType === "user" && isOfOtherTenant(subjectId);
      if (isSubjectForeign !== isOfOtherTenant(feature.ownerId)) {
        await expect(share).rejects.toMatchObject({ code: "subject_not_found" });
        return;
      }
      await share;
      model.shares.set(shareKey(step.resource, { subjectType, subjectId }), step.role);
      return;
    }
    case "revoke": {
      const { subjectType, id } = step.subject;
      const subjectId = typeof id === "number" ? groupId(id) : id;
      await db.query(sql`update users.shares set revoked_at = now()
        where revoked_at is null and subject = ${`${subjectType}:${subjectId}`}
        and feature_id = (select id from users.features where type = ${step.resource.resourceType}
        and resource_id = ${step.resource.resourceId})`);
      model.shares.delete(shareKey(step.resource, { subjectType, subjectId }));
      return;
    }
    case "join":
      if (isOfOtherTenant(step.user)) {
        const join = addMember(
          { db, maxMembers: 100, maxGroupsOfUser: 100 },
          groupId(step.group),
          step.user,
        );
        await expect(join).rejects.toMatchObject({ code: "user_not_found" });
        return;
      }
      await addMember(
        { db, maxMembers: 100, maxGroupsOfUser: 100 },
        groupId(step.group),
        step.user,
      );
      model.members.add(`${groupId(step.group)}>${step.user}`);
      return;
    case "leave":
      await removeMember(db, groupId(step.group), step.user).catch(() => {});
      model.members.delete(`${groupId(step.group)}>${step.user}`);
      return;
    case "nest": {
      const [parent, child] = [groupId(step.group), groupId(step.child)];
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
      await unnestGroup(db, groupId(step.group), groupId(step.child)).catch(() => {});
      model.nested.delete(`${groupId(step.group)}>${groupId(step.child)}`);
      return;
    case "link": {
      const feature = await findFeature(db, step.resource);
      if (!feature) return;
      const until = step.ended ? sql`now() - interval '1 second'` : sql`null`;
      await db.query(sql`insert into users.links (feature_id, enabled, access_level, expires_at,
        allowed_users)
        values (${feature.featureId}, ${step.enabled}, ${step.level}, ${until},
        ${step.allowed}::text[])
        on conflict (feature_id) do update
        set enabled = excluded.enabled, access_level = excluded.access_level,
          expires_at = excluded.expires_at, allowed_users = excluded.allowed_users`);
      if (step.enabled && !step.ended)
        model.links.set(keyOf(step.resource), { level: step.level, allowed: step.allowed });
      else model.links.delete(keyOf(step.resource));
      return;
    }
    case "disable":
      await db.query(sql`update users.users set disabled = ${step.disabled}
        where id = ${step.user}`);
      if (step.disabled) model.disabled.add(step.user);
      else model.disabled.delete(step.user);
      return;
    case "claim":
      await db.query(
        sql`update users.identities set groups = ${step.groups.map((n) => `claim ${n}`)}::text[]
          where user_id = ${step.user}`,
      );
      if (!isOfOtherTenant(step.user))
        model.claims.set(step.user, step.groups.map(groupId));
      return;
    case "delete":
      await deleteFeature(db, step.resource);
      model.remove(keyOf(step.resource));
  }
}

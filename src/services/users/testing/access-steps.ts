import fc from "fast-check";
import sql from "sql-template-tag";
import { expect } from "vitest";
import type { Database } from "../../../platform/db/database.ts";
import { type AccessRole, isAtLeast, type Resource } from "../contract-sharing.ts";
import {
  addMember,
  nestGroup,
  removeMember,
  unnestGroup,
} from "../groups/change-members.ts";
import { acquireLock } from "../locks/manage-locks.ts";
import {
  deleteFeature,
  findFeature,
  registerFeature,
  transferFeatures,
} from "../sharing/features-store.ts";
import { createShares } from "../sharing/manage-shares.ts";
import { type AccessModel, keyOf, shareKey } from "./access-model.ts";

/** Three users of this service, the last of another tenant, and two users of another issuer. */
export const SERVICE_USERS = [
  "01a1fb8b-2522-72b4-a6e7-60a70d8e0001",
  "01a1fb8b-2522-72b4-a6e7-60a70d8e0002",
  "01a1fb8b-2522-72b4-a6e7-60a70d8e0003",
];
export const [, , OTHER_TENANT_USER = ""] = SERVICE_USERS;
export const EXTERNAL_USERS = ["ursula", "ugo"];
export const USERS = [...EXTERNAL_USERS, ...SERVICE_USERS];
const TENANT_USERS = USERS.filter((id) => id !== OTHER_TENANT_USER);
export const GROUPS = [0, 1, 2, 3];
const FOLDERS: Resource[] = [0, 1, 2, 3].map((n) => ({
  resourceType: "folder",
  resourceId: String(n),
}));
export const RESOURCES: Resource[] = [
  ...FOLDERS,
  ...[0, 1, 2].map((n) => ({ resourceType: "document" as const, resourceId: String(n) })),
  { resourceType: "conversation", resourceId: "0" },
];
const GRANTER = "somebody";
const LIMITS = { maxMembers: 100, maxGroupsOfUser: 100, maxShares: 100 };

const user = fc.constantFrom(...USERS);
const group = fc.constantFrom(...GROUPS);
const resource = fc.constantFrom(...RESOURCES);
const role = fc.constantFrom<AccessRole>("viewer", "commenter", "editor", "owner");
const subject = fc.oneof(
  user.map((id) => ({ subjectType: "user" as const, id })),
  group.map((id) => ({ subjectType: "group" as const, id })),
);
export const step = fc.oneof(
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
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant("lock" as const), resource, user }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("transfer" as const),
      user: fc.constantFrom(...TENANT_USERS),
      heir: fc.constantFrom(...TENANT_USERS),
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
export type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

const isOfOtherTenant = (id: string | undefined) => id === OTHER_TENANT_USER;

/**
 * Applies a step to the database and to the model. The database must refuse what is a cycle in the
 * model.
 */
export async function applyStep(
  db: Database,
  step: Step,
  model: AccessModel,
  groups: string[],
): Promise<void> {
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
      const share = createShares({ db, ...LIMITS }, GRANTER, feature.featureId, [
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
        const join = addMember({ db, ...LIMITS }, groupId(step.group), step.user);
        await expect(join).rejects.toMatchObject({ code: "user_not_found" });
        return;
      }
      await addMember({ db, ...LIMITS }, groupId(step.group), step.user);
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
    case "lock": {
      const role = model.roleOf(step.user, step.resource);
      const lock = acquireLock(db, step.user, step.resource, 60_000);
      if (role === null)
        await expect(lock).rejects.toMatchObject({ code: "resource_not_found" });
      else if (!isAtLeast(role, "editor"))
        await expect(lock).rejects.toMatchObject({ code: "role_insufficient" });
      // the lock of another user changes nothing about access
      else await lock.catch((error) => expect(error).toMatchObject({ code: "locked" }));
      return;
    }
    case "transfer":
      await transferFeatures(db, step.user, step.heir);
      for (const [key, owner] of model.owners)
        if (owner === step.user) model.owners.set(key, step.heir);
      return;
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

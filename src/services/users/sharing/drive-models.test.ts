import sql from "sql-template-tag";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Database } from "../../../platform/db/database.ts";
import { migrate } from "../../../platform/db/migrate.ts";
import { silentLog } from "../../../platform/telemetry/log.ts";
import { testDatabase } from "../../../platform/testing/database.ts";
import type { AccessRole, Resource } from "../contract-sharing.ts";
import { addMember, nestGroup } from "../groups/change-members.ts";
import { insertGroup } from "../groups/groups-store.ts";
import { knowUsers } from "../testing/know-users.ts";
import { decideAccess } from "./decide-access.ts";
import { registerFeature, registerFeatures } from "./features-store.ts";
import { setLink } from "./manage-links.ts";
import { createShares } from "./manage-shares.ts";

/**
 * The models of shared drives that OpenFGA publishes with their expected answers
 * (openfga/sample-stores: gdrive, modeling-guide steps 3 and 4, temporal-access; Apache-2.0), in
 * the terms of this service: viewers read, editors write, and access for everybody is a link.
 */
let db: Database;

beforeAll(async () => {
  db = await testDatabase();
  await migrate(db, {
    schema: "users",
    folder: new URL("../migrations/", import.meta.url),
    log: silentLog(),
  });
});
afterAll(() => db[Symbol.asyncDispose]());

const document = (resourceId: string): Resource => ({
  resourceType: "document",
  resourceId,
});
const folder = (resourceId: string): Resource => ({ resourceType: "folder", resourceId });
const createGroup = async (name: string, ...members: string[]) => {
  const { id } = await insertGroup({ db, maxGroups: 100 }, "default", { name });
  await knowUsers(db, members);
  for (const member of members)
    await addMember({ db, maxMembers: 100, maxGroupsOfUser: 100 }, id, member);
  return id;
};
const register = async (resource: Resource, ownerId: string, inFolder?: Resource) => {
  await knowUsers(db, [ownerId]);
  const feature = { ...resource, ownerId, parentId: inFolder?.resourceId };
  return (await registerFeature(db, feature)).featureId;
};
const share = async (
  featureId: string,
  subjectType: "user" | "group",
  subjectId: string,
  accessRole: AccessRole,
) => {
  if (subjectType === "user") await knowUsers(db, [subjectId]);
  return createShares({ db, maxShares: 100 }, "somebody", featureId, [
    { subjectType, subjectId, accessRole },
  ]);
};
const rolesOf = async (resource: Resource, ...users: string[]) => {
  await knowUsers(db, users);
  return Object.fromEntries(
    await Promise.all(
      users.map(
        async (user) => [user, (await decideAccess(db, user, [resource]))[0]] as const,
      ),
    ),
  );
};

test("a folder's owner and shares apply to its documents, but not the reverse", async () => {
  await createGroup("contoso", "anne", "beth");
  const fabrikam = await createGroup("fabrikam", "charles");
  const products = folder("product-2021");
  await share(await register(products, "anne"), "group", fabrikam, "viewer");
  await share(
    await register(document("2021-roadmap"), "nobody", products),
    "user",
    "beth",
    "viewer",
  );
  await register(document("public-roadmap"), "nobody", products);
  await setLink(db, "nobody", document("public-roadmap"), {
    enabled: true,
    accessLevel: "viewer",
  });

  const everybody = ["anne", "beth", "charles", "dave"];
  expect(await rolesOf(document("2021-roadmap"), ...everybody)).toEqual({
    anne: "owner",
    beth: "viewer",
    charles: "viewer",
    dave: null,
  });
  expect(await rolesOf(document("public-roadmap"), ...everybody)).toEqual({
    anne: "owner",
    beth: "viewer",
    charles: "viewer",
    dave: "viewer",
  });
  expect(await rolesOf(products, ...everybody)).toEqual({
    anne: "owner",
    beth: null,
    charles: "viewer",
    dave: null,
  });
});

test("members of nested groups edit through the root folder; document owners do not", async () => {
  const administrators = await createGroup("administrators of acme", "peter");
  const engineering = await createGroup("engineering", "martin");
  const everyone = await createGroup("everyone");
  await nestGroup(db, everyone, engineering);
  const root = folder("root");
  const rootId = await register(root, "anne");
  await share(rootId, "group", everyone, "editor");
  await share(rootId, "group", administrators, "editor");
  await register(document("welcome"), "bob", root);
  await register(document("public notes"), "nobody");
  await setLink(db, "nobody", document("public notes"), {
    enabled: true,
    accessLevel: "viewer",
  });

  expect(
    await rolesOf(document("welcome"), "anne", "bob", "peter", "martin", "john"),
  ).toEqual({
    anne: "owner",
    bob: "owner",
    peter: "editor",
    martin: "editor",
    john: null,
  });
  expect(await rolesOf(root, "anne", "bob", "peter", "martin")).toEqual({
    anne: "owner",
    bob: null,
    peter: "editor",
    martin: "editor",
  });
  expect(await rolesOf(document("public notes"), "john")).toEqual({ john: "viewer" });
});

test("access for a limited time ends by the database's clock", async () => {
  const paper = document("for a time");
  const featureId = await register(paper, "nobody");
  await share(featureId, "user", "bob", "viewer");
  const allow = (expiresAt: string) =>
    setLink(db, "nobody", paper, {
      enabled: true,
      accessLevel: "viewer",
      allowedUsers: ["anne"],
      expiresAt,
    });
  const inAnHour = new Date(Date.now() + 3_600_000).toISOString();
  await allow(inAnHour);
  expect(await rolesOf(paper, "anne", "bob", "carl")).toEqual({
    anne: "viewer",
    bob: "viewer",
    carl: null,
  });
  await db.query(
    sql`update users.links set expires_at = expires_at - interval '2 hours'
      where feature_id = ${featureId}`,
  );
  expect(await rolesOf(paper, "anne", "bob", "carl")).toEqual({
    anne: null,
    bob: "viewer",
    carl: null,
  });
});

test("claims make members of groups and the groups above them, unless disabled", async () => {
  const user = "01a1fb8b-2522-72b4-a6e7-60a70d8e06b0";
  await db.query(
    sql`insert into users.users (id, email, name)
      values (${user}, 'claims@test.example', 'claims')`,
  );
  await db.query(
    sql`insert into users.identities (issuer, subject, user_id, groups)
      values ('https://idp.example', 's', ${user}, '{idp-sales}')`,
  );
  const sales = (
    await insertGroup({ db, maxGroups: 100 }, "default", {
      name: "sales",
      externalName: "idp-sales",
    })
  ).id;
  const company = await createGroup("company");
  await nestGroup(db, company, sales);
  const plan = document("plan");
  await share(await register(plan, "nobody"), "group", company, "commenter");
  expect(await rolesOf(plan, user)).toEqual({ [user]: "commenter" });
  await db.query(sql`update users.users set disabled = true where id = ${user}`);
  expect(await rolesOf(plan, user)).toEqual({ [user]: null });
  await db.query(sql`update users.users set disabled = false where id = ${user}`);
  await db.query(
    sql`update users.identities set groups = '{idp-other}' where user_id = ${user}`,
  );
  expect(await rolesOf(plan, user)).toEqual({ [user]: null });
});

test("registering many resources gives each its folder and its current owner", async () => {
  await register(folder("batch"), "anne");
  await register(document("known"), "beth");
  await registerFeatures(db, [
    { ...document("new"), ownerId: "anne" },
    { ...document("known"), ownerId: "anne" },
    { ...document("inside"), ownerId: "beth", parentId: "batch" },
    { ...document("new"), ownerId: "anne" },
  ]);
  for (const name of ["new", "known", "inside"])
    expect(await rolesOf(document(name), "anne")).toEqual({ anne: "owner" });
  expect(await rolesOf(document("known"), "beth")).toEqual({ beth: null });
});

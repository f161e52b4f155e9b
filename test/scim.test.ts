import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { connectMcpClient } from "./support/mcp-client.ts";
import { entraUser, oktaUser, patch, scimClient } from "./support/scim.ts";
import { type TestServer, startTestServer } from "./support/server.ts";

/** An identity provider manages users and groups by SCIM. */

const PASSWORD = "a long enough password";
let parlance: TestServer;
let scim: Awaited<ReturnType<typeof scimClient>>;

beforeAll(async () => {
  parlance = await startTestServer();
  scim = await scimClient(parlance);
});
afterAll(() => parlance[Symbol.asyncDispose]());

const json = async (answer: Response) => (await answer.json()) as Record<string, unknown>;
const make = async (user: object) => (await scim.ask("/Users", "POST", user)).body.id;
const find = (what: string, filter: string) =>
  scim.ask(`/${what}?filter=${encodeURIComponent(filter)}`);
const membersOf = async (id: string) => {
  const { members } = (await scim.ask(`/Groups/${id}`)).body;
  return ((members ?? []) as { value: string }[]).map(({ value }) => value).toSorted();
};
const makeGroup = async (displayName: string, ids: string[] = []) => {
  const members = ids.map((value) => ({ value }));
  const schemas = ["urn:ietf:params:scim:schemas:core:2.0:Group"];
  return (await scim.ask("/Groups", "POST", { schemas, displayName, members })).body.id;
};

describe("Entra ID", () => {
  test("asks for a user whom nobody has, as its test of the connection does", async () => {
    const none = await scim.ask(
      `/Users?aadOptscim062020&filter=${encodeURIComponent(`userName eq "${crypto.randomUUID()}"`)}`,
    );
    expect([none.status, none.body["totalResults"], none.body.Resources]).toEqual([
      200,
      0,
      [],
    ]);
    expect(none.headers.get("content-type")).toContain("application/scim+json");
  });

  test("creates a user, whom it finds in any case of the name, and by its own id", async () => {
    const made = await scim.ask("/Users", "POST", entraUser("Ada"));
    expect(made.status).toBe(201);
    expect(made.headers.get("location")).toMatch(
      new RegExp(`^http.*/scim/v2/Users/${made.body.id}$`),
    );
    expect(made.body).toMatchObject({
      userName: "Ada@entra.example",
      externalId: "Ada-object-id",
      active: true,
      displayName: "Ada Lovelace",
      name: { familyName: "Lovelace" },
    });
    expect(made.body).not.toHaveProperty("title");
    for (const filter of [
      'userName eq "ADA@entra.example"',
      'USERNAME Eq "ada@entra.example"',
      'externalId eq "Ada-object-id"',
      'emails[type eq "work" and value eq "ada@entra.example"]',
      'not (active eq false) and (displayName co "LOVE") and externalId pr and externalId sw "Ada"',
      'meta.created gt "2020-01-01T00:00:00Z" and userName eq "ada@entra.example"',
    ])
      expect((await find("Users", filter)).body.Resources, filter).toMatchObject([
        { id: made.body.id },
      ]);
    const account = await parlance.request(`/api/v1/users/${made.body.id}`);
    expect(await json(account)).toMatchObject({
      email: "ada@entra.example",
      name: "Ada Lovelace",
      roles: ["user"],
      disabled: false,
    });
    const again = await scim.ask("/Users", "POST", entraUser("Ada"));
    expect([again.status, again.body["scimType"]]).toEqual([409, "uniqueness"]);
  });

  test("changes single attributes, with capital words and with booleans as texts", async () => {
    const id = await make(entraUser("Grace"));
    const changed = await scim.ask(
      `/Users/${id}`,
      "PATCH",
      patch(
        { op: "Replace", path: 'emails[type eq "work"].value', value: "g@entra.example" },
        { op: "Add", path: "name.givenName", value: "Gracie" },
        { op: "Replace", path: "displayName", value: "Gracie L." },
        { op: "Add", path: "title", value: "Admiral" },
        {
          op: "Add",
          path: "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department",
          value: "Navy",
        },
        { op: "Replace", path: "active", value: "False" },
      ),
    );
    expect([changed.status, changed.body["active"]]).toEqual([200, false]);
    expect(changed.body).toMatchObject({
      displayName: "Gracie L.",
      name: { givenName: "Gracie", familyName: "Lovelace" },
      emails: [{ value: "g@entra.example", type: "work", primary: true }],
    });
    const account = await json(await parlance.request(`/api/v1/users/${id}`));
    expect(account).toMatchObject({ email: "g@entra.example", disabled: true });
  });

  test("changes several attributes by one object, whose keys are paths", async () => {
    const id = await make({ ...entraUser("Joan"), emails: [] });
    const value = {
      displayName: "Joan C.",
      "name.familyName": "Clarke",
      'emails[type eq "work"].value': "joan.clarke@entra.example",
    };
    const changed = await scim.ask(`/Users/${id}`, "PATCH", patch({ op: "Add", value }));
    expect(changed.body).toMatchObject({
      displayName: "Joan C.",
      name: { familyName: "Clarke" },
    });
    const account = await json(await parlance.request(`/api/v1/users/${id}`));
    expect(account["email"]).toBe("joan.clarke@entra.example");
  });

  test("adds and removes members, in both ways that it has", async () => {
    const [a, b, c] = await Promise.all(
      ["A", "B", "C"].map((name) => make(entraUser(name))),
    );
    const id = await makeGroup("Engines");
    const add = {
      op: "Add",
      path: "members",
      value: [a, b, c].map((value) => ({ value })),
    };
    expect((await scim.ask(`/Groups/${id}`, "PATCH", patch(add))).status).toBe(204);
    expect(await membersOf(id)).toEqual([a, b, c].toSorted());
    const old = { op: "Remove", path: "members", value: [{ value: a }] };
    await scim.ask(`/Groups/${id}`, "PATCH", patch(old));
    const current = { op: "Remove", path: `members[value eq "${b}"]` };
    await scim.ask(`/Groups/${id}`, "PATCH", patch(current));
    expect(await membersOf(id)).toEqual([c]);
    const bare = await scim.ask(`/Groups/${id}?excludedAttributes=members`);
    expect(bare.body).not.toHaveProperty("members");
    const asked = await find("Groups", `id eq "${id}" and members eq "${c}"`);
    expect(asked.body["totalResults"]).toBe(1);
    expect(
      (await find("Groups", `id eq "${id}" and members eq "${a}"`)).body["totalResults"],
    ).toBe(0);
  });
});

describe("Okta", () => {
  test("creates a user, changes the profile by PUT and deactivates without a path", async () => {
    const id = await make(oktaUser("linus"));
    const put = { ...oktaUser("linus"), id, displayName: "Linus T.", active: true };
    const replaced = await scim.ask(`/Users/${id}`, "PUT", put);
    expect([replaced.status, replaced.body["displayName"]]).toEqual([200, "Linus T."]);
    const off = await scim.ask(
      `/Users/${id}`,
      "PATCH",
      patch({ op: "replace", value: { active: false } }),
    );
    expect([off.status, off.body["active"]]).toEqual([200, false]);
    const on = await scim.ask(
      `/Users/${id}`,
      "PATCH",
      patch({ op: "replace", value: { active: true } }),
    );
    expect(on.body["active"]).toBe(true);
  });

  test("reads users page by page, from 1", async () => {
    // one after another: they are listed in the order in which they came
    for (const name of ["p1", "p2", "p3"]) await make(oktaUser(name));
    const filter = encodeURIComponent('userName sw "p" and userName ew "@okta.example"');
    const seen: unknown[] = [];
    for (const startIndex of [1, 3]) {
      const { body } = await scim.ask(
        `/Users?filter=${filter}&startIndex=${startIndex}&count=2`,
      );
      expect([body["totalResults"], body["startIndex"]]).toEqual([3, startIndex]);
      seen.push(...body.Resources.map(({ userName }) => userName));
    }
    expect(seen).toEqual(["p1@okta.example", "p2@okta.example", "p3@okta.example"]);
    const none = await scim.ask("/Users?count=0");
    expect(none.body.Resources).toEqual([]);
    expect(none.body["totalResults"]).toBeGreaterThan(3);
  });

  test("renames a group by an object with its id, and replaces its members", async () => {
    const [a, b] = await Promise.all(["m1", "m2"].map((name) => make(oktaUser(name))));
    const id = await makeGroup("Pushed", [a ?? ""]);
    const rename = { op: "replace", value: { id, displayName: "Pushed again" } };
    expect((await scim.ask(`/Groups/${id}`, "PATCH", patch(rename))).status).toBe(204);
    const members = {
      op: "replace",
      path: "members",
      value: [{ value: b, display: "m2" }],
    };
    await scim.ask(`/Groups/${id}`, "PATCH", patch(members));
    expect(await membersOf(id)).toEqual([b]);
    const found = await find("Groups", 'displayName eq "pushed AGAIN"');
    expect(found.body.Resources).toMatchObject([{ id, displayName: "Pushed again" }]);
    const put = { displayName: "Pushed again", members: [{ value: a }] };
    await scim.ask(`/Groups/${id}`, "PUT", put);
    expect(await membersOf(id)).toEqual([a]);
    expect((await scim.ask(`/Groups/${id}`, "DELETE")).status).toBe(204);
    expect((await scim.ask(`/Groups/${id}`)).status).toBe(404);
  });
});

describe("what follows from a change", () => {
  test("deactivation ends sessions and API keys from the next request on", async () => {
    const id = await make(oktaUser("leaver"));
    // an administrator's password stands for a sign-in at the identity provider
    await parlance.request(`/api/v1/users/${id}`, {
      method: "PATCH",
      body: { password: PASSWORD },
    });
    const token = await parlance.signIn("leaver@okta.example", PASSWORD);
    const made = await parlance.request("/api/v1/auth/api-keys", {
      token,
      body: { name: "mine" },
    });
    const { key } = (await made.json()) as { key: string };
    const withKey = () => parlance.request("/api/v1/auth/me", { token: key });
    expect((await withKey()).status).toBe(200);
    await scim.ask(
      `/Users/${id}`,
      "PATCH",
      patch({ op: "replace", value: { active: false } }),
    );
    expect((await parlance.request("/api/v1/auth/me", { token })).status).toBe(401);
    expect((await withKey()).status).toBe(401);
  });

  test("members of a group get its roles, and lose them with it", async () => {
    const id = await make(oktaUser("boss"));
    const groupId = await makeGroup("Administrators", [id]);
    await parlance.request(`/api/v1/groups/${groupId}`, {
      method: "PATCH",
      body: { roles: ["admin"] },
    });
    const rolesOf = async () => {
      const path = `/api/v1/users/${id}/permissions`;
      return JSON.stringify(await json(await parlance.request(path)));
    };
    expect(await rolesOf()).toContain('"admin"');
    await scim.ask(
      `/Groups/${groupId}`,
      "PATCH",
      patch({ op: "remove", path: `members[value eq "${id}"]` }),
    );
    expect(await rolesOf()).not.toContain('"rolesOfGroups":[{');
  });

  test("a user who is deleted is gone, and the last administrator stays", async () => {
    const id = await make(oktaUser("gone"));
    expect((await scim.ask(`/Users/${id}`, "DELETE")).status).toBe(204);
    expect((await scim.ask(`/Users/${id}`)).status).toBe(404);
    const admin = (await find("Users", 'userName eq "admin@test.example"')).body
      .Resources[0];
    const off = await scim.ask(
      `/Users/${String(admin?.["id"])}`,
      "PATCH",
      patch({ op: "replace", value: { active: false } }),
    );
    expect(off.status).toBe(409);
  });

  test("the audit log names the token, and each member", async () => {
    const id = await make(oktaUser("audited"));
    await makeGroup("Audited", [id]);
    const { items } = (await json(await parlance.request("/api/v1/audit?limit=10"))) as {
      items: Record<string, unknown>[];
    };
    expect(items).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          action: "group.member_added",
          actorId: `scim:${scim.id}`,
          actorName: "Okta",
          otherName: "audited Hopper",
        }),
        expect.objectContaining({
          action: "user.created",
          resourceId: id,
          actorName: "Okta",
        }),
      ]),
    );
  });

  test("what is repeated is no change", async () => {
    const id = await make(oktaUser("same"));
    await scim.ask(`/Users/${id}`, "PUT", oktaUser("same"));
    const path = `/api/v1/audit?resourceId=${id}`;
    expect((await json(await parlance.request(path)))["total"]).toBe(1);
  });

  test("a name that an administrator changes here is what is shown", async () => {
    const id = await make(oktaUser("renamed"));
    await parlance.request(`/api/v1/users/${id}`, {
      method: "PATCH",
      body: { name: "Other" },
    });
    expect((await scim.ask(`/Users/${id}`)).body["displayName"]).toBe("Other");
  });
});

describe("who may ask", () => {
  test("only a token that is not revoked, and nobody with other credentials", async () => {
    const other = await scimClient(parlance);
    expect((await other.ask("/Users?count=1")).status).toBe(200);
    const revoked = await parlance.request(`/api/v1/scim-tokens/${other.id}`, {
      method: "DELETE",
    });
    expect(revoked.status).toBe(204);
    const refused = await other.ask("/Users?count=1");
    expect([refused.status, refused.body["schemas"]]).toEqual([
      401,
      ["urn:ietf:params:scim:api:messages:2.0:Error"],
    ]);
    expect((await parlance.request("/scim/v2/Users")).status).toBe(401);
    expect((await parlance.request("/scim/v2/Users", { token: null })).status).toBe(401);
    const asUser = await parlance.request("/api/v1/auth/me", { token: scim.token });
    expect(asUser.status).toBe(401);
  });

  test("a token is shown once and listed without itself", async () => {
    const list = await parlance.request("/api/v1/scim-tokens");
    const text = await list.text();
    expect(text).toContain("/scim/v2");
    expect(text).not.toContain(scim.token);
    const expired = await parlance.request("/api/v1/scim-tokens", {
      body: { name: "old", expiresAt: "2020-01-01T00:00:00Z" },
    });
    const { token } = (await expired.json()) as { token: string };
    expect((await parlance.request("/scim/v2/Users", { token })).status).toBe(401);
  });

  test("a token counts while who made it is an administrator", async () => {
    const email = "maker@test.example";
    const body = { email, name: "Maker", password: PASSWORD, roles: ["admin"] };
    const { id } = await json(await parlance.request("/api/v1/users", { body }));
    const made = await scimClient(parlance, await parlance.signIn(email, PASSWORD));
    const status = async () => (await made.ask("/Users?count=1")).status;
    const change = (fields: object) =>
      parlance.request(`/api/v1/users/${String(id)}`, { method: "PATCH", body: fields });
    const listed = async () => {
      const { items } = await json(await parlance.request("/api/v1/scim-tokens"));
      return (items as Record<string, unknown>[]).find((one) => one["id"] === made.id);
    };
    expect(await status()).toBe(200);
    expect(await listed()).toMatchObject({
      createdBy: id,
      createdByName: "Maker",
      counts: true,
    });
    await change({ roles: ["user"] });
    expect(await status()).toBe(401);
    expect(await listed()).toMatchObject({ counts: false });
    await change({ roles: ["admin"] });
    expect(await status()).toBe(200);
    await change({ disabled: true });
    expect(await status()).toBe(401);
    await parlance.request(`/api/v1/users/${String(id)}`, { method: "DELETE" });
    expect(await status()).toBe(401);
    expect(await listed()).toMatchObject({ createdByName: null, counts: false });
  });

  test("a token sees and changes its own organisation alone", async () => {
    const email = "admin@another.example";
    await parlance.request("/api/v1/users", {
      body: {
        email,
        name: "Admin",
        password: PASSWORD,
        roles: ["admin"],
        clientId: "another",
      },
    });
    const foreign = await scimClient(parlance, await parlance.signIn(email, PASSWORD));
    const id = await make(oktaUser("ours"));
    const groupId = await makeGroup("Ours", [id]);
    const names = (await foreign.ask("/Users")).body.Resources.map(
      ({ userName }) => userName,
    );
    expect(names).toEqual([email]);
    expect((await foreign.ask("/Groups")).body.Resources).toEqual([]);
    for (const path of [`/Users/${id}`, `/Groups/${groupId}`]) {
      expect((await foreign.ask(path)).status, path).toBe(404);
      expect((await foreign.ask(path, "DELETE")).status, path).toBe(404);
      const change = patch({ op: "replace", path: "displayName", value: "Theirs" });
      expect((await foreign.ask(path, "PATCH", change)).status, path).toBe(404);
    }
    const stolen = { displayName: "Theirs", members: [{ value: id }] };
    expect((await foreign.ask("/Groups", "POST", stolen)).status).toBe(400);
  });

  test("an administrator who may do less than all makes no token", async () => {
    const permissions = [{ action: "manage", subject: "conversation", inverted: true }];
    await parlance.request("/api/v1/roles", { body: { name: "no-chat", permissions } });
    await parlance.request("/api/v1/users", {
      body: {
        email: "weak@test.example",
        name: "Weak",
        password: PASSWORD,
        roles: ["admin", "no-chat"],
      },
    });
    const token = await parlance.signIn("weak@test.example", PASSWORD);
    const answer = await parlance.request("/api/v1/scim-tokens", {
      token,
      body: { name: "x" },
    });
    expect([answer.status, (await json(answer))["code"]]).toEqual([403, "role_too_strong"]);
  });

  test("a token has a limit of requests", async () => {
    const limited = await startTestServer({ SCIM_REQUESTS_PER_MINUTE: "2" });
    try {
      const { ask } = await scimClient(limited);
      const statuses = [];
      for (let asked = 0; asked < 3; asked += 1)
        statuses.push((await ask("/ServiceProviderConfig")).status);
      expect(statuses).toEqual([200, 200, 429]);
      // what does not exist, and the search that is not supported, count too
      expect((await ask("/Nothing")).status).toBe(429);
      expect((await ask("/.search", "POST", {})).status).toBe(429);
    } finally {
      await limited[Symbol.asyncDispose]();
    }
  });
});

describe("an account that was here before", () => {
  const PING = { jsonrpc: "2.0", id: 1, method: "ping" };
  const MCP_HEADERS = { accept: "application/json, text/event-stream" };
  const outsider = async (open: TestServer, email: string) => {
    const body = { email, password: PASSWORD, name: "Outsider" };
    await open.request("/api/v1/auth/signup", { token: null, body });
    const token = await open.signIn(email, PASSWORD);
    const made = await open.request("/api/v1/auth/api-keys", {
      token,
      body: { name: "k" },
    });
    const { key } = (await made.json()) as { key: string };
    const { access_token: granted } = await connectMcpClient(open, token);
    const login = { email, password: PASSWORD };
    return async () => {
      const answers = [
        await open.request("/api/v1/auth/me", { token }),
        await open.request("/api/v1/auth/me", { token: key }),
        await open.request("/api/v1/auth/login", { token: null, body: login }),
        await open.request("/mcp", { token: granted, body: PING, headers: MCP_HEADERS }),
      ];
      return answers.map(({ status }) => status);
    };
  };

  test("opens for nobody who signed up, from the first change or group on", async () => {
    const open = await startTestServer({ SIGNUP_ENABLED: "true" });
    try {
      const { ask } = await scimClient(open);
      const idOf = async (email: string) => {
        const filter = encodeURIComponent(`userName eq "${email}"`);
        return (await ask(`/Users?filter=${filter}`)).body.Resources[0]?.["id"];
      };
      const changed = await outsider(open, "changed@okta.example");
      const member = await outsider(open, "member@okta.example");
      const other = await outsider(open, "other@okta.example");
      for (const ways of [changed, member, other])
        expect(await ways()).toEqual([200, 200, 200, 200]);
      const id = await idOf("changed@okta.example");
      const same = patch({ op: "replace", path: "active", value: true });
      expect((await ask(`/Users/${String(id)}`, "PATCH", same)).status).toBe(200);
      expect(await changed()).toEqual([401, 401, 401, 401]);
      const members = [{ value: await idOf("member@okta.example") }];
      const made = await ask("/Groups", "POST", { displayName: "G", members });
      expect(made.status).toBe(201);
      expect(await member()).toEqual([401, 401, 401, 401]);
      expect(await other()).toEqual([200, 200, 200, 200]);
    } finally {
      await open[Symbol.asyncDispose]();
    }
  });

  test("stays open to its user if an administrator made it", async () => {
    const email = "made@okta.example";
    const body = { email, name: "Made", password: PASSWORD, roles: ["user"] };
    const { id } = await json(await parlance.request("/api/v1/users", { body }));
    const token = await parlance.signIn(email, PASSWORD);
    const change = patch({ op: "replace", path: "externalId", value: "x-1" });
    expect((await scim.ask(`/Users/${String(id)}`, "PATCH", change)).status).toBe(200);
    expect((await parlance.request("/api/v1/auth/me", { token })).status).toBe(200);
  });
});

describe("what one request may hold", () => {
  test("operations on a user are few, those on members of a group many", async () => {
    const id = await make(oktaUser("patched"));
    const groupId = await makeGroup("Patched");
    const many = (operation: object) =>
      patch(...Array.from({ length: 101 }, () => operation));
    const ofUser = many({ op: "replace", path: "displayName", value: "P" });
    expect((await scim.ask(`/Users/${id}`, "PATCH", ofUser)).status).toBe(400);
    const ofGroup = many({ op: "add", path: "members", value: [{ value: id }] });
    expect((await scim.ask(`/Groups/${groupId}`, "PATCH", ofGroup)).status).toBe(204);
    expect(await membersOf(groupId)).toEqual([id]);
  });

  test("a user with too many emails is refused", async () => {
    const emails = Array.from({ length: 21 }, (_, one) => ({
      value: `e${one}@okta.example`,
    }));
    const made = await scim.ask("/Users", "POST", { ...oktaUser("emails"), emails });
    expect([made.status, made.body["scimType"]]).toEqual([400, "invalidValue"]);
  });

  test("nested groups join and leave in parts, as each change locks all groups", async () => {
    const id = await makeGroup("Parent");
    const children: string[] = [];
    for (let one = 0; one < 101; one += 1) children.push(await makeGroup(`Child ${one}`));
    const add = (ids: string[]) => {
      const value = ids.map((one) => ({ value: one }));
      return scim.ask(
        `/Groups/${id}`,
        "PATCH",
        patch({ op: "add", path: "members", value }),
      );
    };
    const refused = await add(children);
    expect([refused.status, refused.body["scimType"]]).toEqual([400, "invalidValue"]);
    expect(await membersOf(id)).toEqual([]);
    expect((await add(children.slice(0, 100))).status).toBe(204);
    expect((await add(children.slice(100))).status).toBe(204);
    const all = patch({ op: "replace", path: "members", value: [] });
    expect((await scim.ask(`/Groups/${id}`, "PATCH", all)).status).toBe(400);
    expect(await membersOf(id)).toHaveLength(101);
  });
});

describe("mistakes", () => {
  const refused = async (path: string, method: string, body?: unknown) => {
    const { status, body: answer } = await scim.ask(path, method, body);
    return [status, answer["scimType"]];
  };
  test("are refused with the keyword that SCIM has for them", async () => {
    const id = await make(oktaUser("mistaken"));
    const path = `/Users/${id}`;
    const by = (operation: object) => refused(path, "PATCH", patch(operation));
    expect(await refused("/Users?filter=userName%20is%20%22x%22", "GET")).toEqual([
      400,
      "invalidFilter",
    ]);
    expect(await refused("/Users?filter=title%20eq%20%22x%22", "GET")).toEqual([
      400,
      "invalidFilter",
    ]);
    expect(await refused("/Users", "POST", { userName: "no-email" })).toEqual([
      400,
      "invalidValue",
    ]);
    expect(await refused("/Users", "POST", {})).toEqual([400, "invalidValue"]);
    expect(await by({ op: "replace", path: "id", value: "x" })).toEqual([
      400,
      "mutability",
    ]);
    expect(await by({ op: "replace", path: "shoeSize", value: "9" })).toEqual([
      400,
      "invalidPath",
    ]);
    expect(await by({ op: "remove" })).toEqual([400, "noTarget"]);
    expect(await by({ op: "replace", path: "active", value: "perhaps" })).toEqual([
      400,
      "invalidValue",
    ]);
    expect(await refused("/Nothing", "GET")).toEqual([404, undefined]);
    expect(
      (await scim.ask("/Groups", "POST", { displayName: "X", members: [{ value: "?" }] }))
        .status,
    ).toBe(400);
  });
});

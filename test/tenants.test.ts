import { createPrivateKey, generateKeyPairSync } from "node:crypto";
import { SignJWT } from "jose";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { silentLog } from "../src/platform/telemetry/log.ts";
import { type RunningServer, startServer } from "../src/server/compose.ts";
import { flowServer, graphOf } from "./support/flow-server.ts";
import { parseStream } from "./support/read-changes.ts";

/** Two tenants of an organisation's own issuer, in two processes, before and after a restart. */

const { publicKey, privateKey } = generateKeyPairSync("rsa", {
  modulusLength: 2048,
  publicKeyEncoding: { type: "spki", format: "pem" },
  privateKeyEncoding: { type: "pkcs8", format: "pem" },
});
const SETTINGS = {
  JWT_PUBLIC_KEY: publicKey,
  JWT_ISSUER: "https://issuer.example",
  ...Object.fromEntries(
    ["USER", "MCP", "COMPLETION"].map((name) => [`${name}_SERVICE_SECRET`, "s".repeat(32)]),
  ),
  SERVICE_SECRET: "s".repeat(32),
  ENCRYPTION_KEY: Buffer.alloc(32, 7).toString("base64"),
};
/** By tenant: users and an administrator of each; the operator's tenant runs the installation. */
const PEOPLE = {
  anna: "acme",
  abe: "acme",
  adam: "acme",
  gina: "globex",
  gus: "globex",
  olga: "default",
} as const;
type Name = keyof typeof PEOPLE;
const ADMINS: readonly Name[] = ["adam", "gus", "olga"];

let at: Awaited<ReturnType<typeof flowServer>>;
let apart: RunningServer;
const tokens = new Map<Name, string>();

beforeAll(async () => {
  at = await flowServer(SETTINGS);
  apart = await startServer({
    services: ["documents"],
    log: silentLog(),
    env: {
      ...SETTINGS,
      PORT: "0",
      DATA_DIR: `${at.parlance.dataDir}/apart`,
      USER_SERVICE_URL: at.parlance.url,
    },
  });
  for (const name of Object.keys(PEOPLE) as Name[]) {
    tokens.set(name, await sign(name));
    // known from the first request on
    expect((await ask(name, "GET", "/conversation/chat-history")).status).toBe(200);
  }
});
afterAll(async () => {
  await apart?.[Symbol.asyncDispose]();
  await at?.[Symbol.asyncDispose]();
});

function sign(name: Name, clientId: string = PEOPLE[name]): Promise<string> {
  const roles = ADMINS.includes(name) ? ["admin"] : ["user"];
  // the issuer says when the person signed in, which counts as a proof of who acts
  const auth_time = Math.floor(Date.now() / 1000);
  const email = `${name}@issuer.example`;
  return new SignJWT({ email, name, roles, clientId, auth_time })
    .setProtectedHeader({ alg: "RS256", typ: "at+jwt" })
    .setIssuer("https://issuer.example")
    .setAudience("parlance")
    .setSubject(name)
    .setIssuedAt()
    .setExpirationTime("1h")
    .sign(createPrivateKey(privateKey));
}

async function ask(name: Name, method: string, path: string, body?: unknown, url?: string) {
  const answer = await fetch(`${url ?? at.parlance.url}/api/v1${path}`, {
    method,
    headers: {
      authorization: `Bearer ${tokens.get(name)}`,
      ...(body !== undefined && { "content-type": "application/json" }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  const isJson = answer.headers.get("content-type")?.startsWith("application/json");
  const parsed = (isJson ? JSON.parse(text) : {}) as Record<string, unknown> & {
    id: string;
  };
  return { status: answer.status, text, body: parsed };
}
const statuses = async (
  names: readonly Name[],
  method: string,
  path: string,
  body?: unknown,
) =>
  Object.fromEntries(
    await Promise.all(
      names.map(
        async (name) => [name, (await ask(name, method, path, body)).status] as const,
      ),
    ),
  );
const anAgent = async (name: Name, type = "simple") =>
  (await ask(name, "POST", "/agent", { name: `agent of ${name}`, type })).body.id;
const openToAll = (name: Name, resourceType: string, id: string) =>
  vi.waitFor(async () => {
    const link = { enabled: true, accessLevel: "editor" };
    const answer = await ask(name, "PUT", `/sharing/links/${resourceType}/${id}`, link);
    expect(answer.status).toBe(200);
  }, 90_000);

test("a separate process also keeps tenants apart", async () => {
  const form = new FormData();
  form.append("file", new File(["Anna's text."], "anna.txt"));
  const headers = { authorization: `Bearer ${tokens.get("anna")}` };
  const sent = { method: "POST", headers, body: form };
  const uploaded = await fetch(`${apart.url}/api/v1/documents`, sent);
  const { id } = (await uploaded.json()) as { id: string };
  await openToAll("anna", "document", id);
  const names = { anna: 200, abe: 200, gina: 404, gus: 404, olga: 404 };
  for (const [name, status] of Object.entries(names))
    // a name of PEOPLE
    expect(
      (await ask(name as Name, "GET", `/documents/${id}`, undefined, apart.url)).status,
    ).toBe(status);
});

test("a link admits everyone of the tenant and nobody of another, before and after a restart", async () => {
  const id = await anAgent("anna");
  await openToAll("anna", "agent", id);
  const expected = { anna: 200, abe: 200, adam: 200, gina: 404, gus: 404, olga: 404 };
  const everybody = Object.keys(PEOPLE) as Name[];
  expect(await statuses(everybody, "GET", `/agent/${id}`)).toEqual(expected);
  await at.parlance.restart();
  expect(await statuses(everybody, "GET", `/agent/${id}`)).toEqual(expected);
});

test("neither users nor groups of another tenant can be shared with, found or named", async () => {
  const id = await anAgent("anna");
  const share = (subjectType: string, subjectId: string) =>
    ask("anna", "POST", "/sharing/share", {
      resourceType: "agent",
      resourceId: id,
      shares: [{ subjectType, subjectId, accessRole: "viewer" }],
    });
  expect((await share("user", "abe")).status).toBe(201);
  expect((await share("user", "gina")).body["code"]).toBe("subject_not_found");
  expect((await share("user", "never seen")).body["code"]).toBe("subject_not_found");
  const { body: group } = await ask("gus", "POST", "/groups", { name: "theirs" });
  expect((await share("group", group.id)).body["code"]).toBe("subject_not_found");
  const found = (query: string) => ask("anna", "GET", `/sharing/subjects?query=${query}`);
  for (const query of ["abe", "ÀBÉ"]) expect((await found(query)).text).toContain('"abe"');
  expect((await found("gin")).body["items"]).toEqual([]);
  const named = await ask("anna", "GET", "/user-info?ids=abe,gina");
  expect(named.body["items"]).toEqual([{ id: "abe", name: "abe" }]);
});

test("groups are visible and changed within their tenant, and accept only its users", async () => {
  const { body: group } = await ask("adam", "POST", "/groups", { name: "ours" });
  expect(await statuses(["adam", "gus", "olga"], "GET", `/groups/${group.id}`)).toEqual({
    adam: 200,
    gus: 404,
    olga: 404,
  });
  const join = (name: string) => ask("adam", "PUT", `/groups/${group.id}/members/${name}`);
  expect([(await join("abe")).status, (await join("gina")).status]).toEqual([204, 400]);
  expect((await join("never-seen")).body["code"]).toBe("user_not_found");
});

test("only administrators of the tenant end a lock, and only their audit log records it", async () => {
  const id = await anAgent("anna");
  const lock = await vi.waitFor(async () => {
    const answer = await ask("anna", "POST", `/sharing/locks/agent/${id}`);
    expect(answer.status).toBe(201);
    return answer.body;
  }, 90_000);
  const path = `/features/${String(lock["featureId"])}/locks/force`;
  expect(await statuses(["gus", "olga"], "DELETE", path)).toEqual({ gus: 404, olga: 404 });
  expect((await ask("adam", "DELETE", path)).status).toBe(204);
  for (const [name, expected] of Object.entries({ adam: 1, gus: 0, olga: 0 })) {
    // a name of PEOPLE
    const audit = await ask(
      name as Name,
      "GET",
      `/audit?action=lock.forced&resourceId=${id}`,
    );
    expect(audit.body["total"], name).toBe(expected);
    const file = await ask(
      name as Name,
      "GET",
      `/audit/export?format=json&resourceId=${id}`,
    );
    expect(file.text !== "", `the file of ${name}`).toBe(expected === 1);
  }
});

test("flows are granted within a tenant, to known users", async () => {
  const { body: flow } = await ask("anna", "POST", "/flowengine/flows", {
    name: "Anna's",
    data: graphOf("echo"),
  });
  const grant = async (admin: Name, userId: string) =>
    (
      await ask(admin, "POST", "/flowengine/admin/permissions/grant", {
        userId,
        flowId: flow.id,
      })
    ).status;
  expect(await grant("gus", "gina")).toBe(404);
  expect(await grant("gus", "abe")).toBe(404);
  expect(await grant("adam", "gina")).toBe(404);
  expect(await grant("adam", "never seen")).toBe(404);
  expect(await grant("adam", "abe")).toBe(201);
  const granted = async (admin: Name) =>
    (await ask(admin, "GET", "/flowengine/admin/permissions?userId=abe")).body["total"];
  expect([await granted("adam"), await granted("gus")]).toEqual([1, 0]);
  const revoke = async (admin: Name) =>
    (
      await ask(admin, "POST", "/flowengine/admin/permissions/revoke-group", {
        userIds: ["abe"],
        flowId: flow.id,
        note: "fields that are not known are ignored",
      })
    ).body["success"];
  expect([await revoke("gus"), await revoke("adam")]).toEqual([false, true]);
});

test("agents of an organisation belong to its tenant", async () => {
  const id = await anAgent("adam", "organization");
  expect(await statuses(["abe", "gina", "gus"], "GET", `/agent/${id}`)).toEqual({
    abe: 200,
    gina: 404,
    gus: 404,
  });
});

test("only the operator's tenant administers what all tenants share", async () => {
  for (const path of ["/queues", "/budgets", "/mcp-servers"])
    expect(await statuses(["adam", "gus", "olga"], "GET", path), path).toEqual({
      adam: 403,
      gus: 403,
      olga: 200,
    });
  const role = { name: "made-by-olga", permissions: [] };
  expect((await ask("adam", "POST", "/roles", role)).body["code"]).toBe(
    "operator_required",
  );
  expect((await ask("olga", "POST", "/roles", role)).status).toBe(201);
});

test("access decisions concern only known users, and only administrators of their tenant may ask", async () => {
  const resourceId = await anAgent("anna");
  await openToAll("anna", "agent", resourceId);
  const check = (name: Name, userId: string) =>
    ask(name, "POST", "/sharing/check-access", {
      resourceType: "agent",
      resourceId,
      userId,
    });
  expect((await check("adam", "abe")).body).toEqual({ hasAccess: true, role: "editor" });
  expect((await check("anna", "never seen")).body).toEqual({
    hasAccess: false,
    role: null,
  });
  expect((await check("anna", "gina")).body).toEqual({ hasAccess: false, role: null });
  expect((await check("gus", "abe")).status).toBe(403);
});

test("a user belongs to one tenant", async () => {
  const url = `${at.parlance.url}/api/v1/conversation/chat-history`;
  const headers = { authorization: `Bearer ${await sign("anna", "globex")}` };
  const answer = await fetch(url, { headers });
  expect(answer.status).toBe(403);
  expect(await answer.json()).toMatchObject({ code: "tenant_mismatch" });
});

test("administrators list the users of their tenant, and shut one out at once and for all keys", async () => {
  const path = "/users/external";
  const namesFor = async (name: Name) => {
    const { items } = (await ask(name, "GET", path)).body as unknown as {
      items: { userId: string; disabled: boolean }[];
    };
    return items.filter(({ disabled }) => !disabled).map(({ userId }) => userId);
  };
  expect(await namesFor("adam")).toEqual(["abe", "adam", "anna"]);
  expect(await namesFor("gus")).toEqual(["gina", "gus"]);
  expect((await ask("gus", "PATCH", `${path}/abe`, { disabled: true })).status).toBe(404);
  expect((await ask("anna", "PATCH", `${path}/abe`, { disabled: true })).status).toBe(403);

  const resourceId = await anAgent("anna");
  await openToAll("anna", "agent", resourceId);
  const mayAbe = async () => {
    const asked = { resourceType: "agent", resourceId, userId: "abe" };
    return (await ask("adam", "POST", "/sharing/check-access", asked)).body["hasAccess"];
  };
  expect(await mayAbe()).toBe(true);
  const events = await fetch(`${at.parlance.url}/api/v1/events`, {
    headers: { authorization: `Bearer ${tokens.get("abe")}` },
  });
  expect((await ask("adam", "PATCH", `${path}/abe`, { disabled: true })).status).toBe(200);
  expect(await events.text()).toContain("token_revoked");
  const refused = await ask("abe", "GET", "/conversation/chat-history");
  expect([refused.status, refused.body["code"]]).toEqual([401, "token_revoked"]);
  expect(await mayAbe()).toBe(false);
  expect(await namesFor("adam")).toEqual(["adam", "anna"]);
  await ask("adam", "PATCH", `${path}/abe`, { disabled: false });
  expect(await mayAbe()).toBe(true);
  expect((await ask("abe", "GET", "/conversation/chat-history")).status).toBe(200);
});

test("a deleted user of an issuer is gone with the data, or leaves it to another, and never returns", async () => {
  const newcomer = async (name: Name) => {
    const id = `${name}-${crypto.randomUUID()}`;
    tokens.set(id as Name, await sign(id as Name, PEOPLE[name])); // a person of one test
    return id as Name;
  };
  const path = (id: string, query = "") => `/users/external/${id}${query}`;
  const [leaver, other] = [await newcomer("anna"), await newcomer("anna")];
  const [left, lost] = [await anAgent(leaver), await anAgent(other)];

  expect((await ask("gus", "DELETE", path(leaver))).status).toBe(404);
  expect((await ask("anna", "DELETE", path(leaver))).status).toBe(403);
  for (const recipient of [leaver, "gina", "nobody"]) {
    const answer = await ask("adam", "DELETE", path(leaver, `?transferTo=${recipient}`));
    expect([recipient, answer.status]).toEqual([recipient, 400]);
  }
  expect((await ask("adam", "DELETE", path(leaver, "?transferTo=abe"))).status).toBe(204);
  expect((await ask("adam", "DELETE", path(other))).status).toBe(204);
  expect((await ask("adam", "DELETE", path(other))).status).toBe(404);

  const listed = (await ask("adam", "GET", "/users/external?limit=100")).text;
  for (const id of [leaver, other]) {
    const refused = await ask(id, "GET", "/conversation/chat-history");
    expect([refused.status, refused.body["code"]]).toEqual([401, "token_revoked"]);
    expect(listed).not.toContain(id);
  }
  await vi.waitFor(async () => {
    expect((await ask("abe", "GET", `/agent/${left}`)).status).toBe(200);
    expect((await ask("adam", "GET", `/agent/${lost}`)).status).toBe(404);
  }, 30_000);
});

test("what an administrator changes is announced in their own tenant alone", async () => {
  const made = await ask("adam", "POST", "/groups", { name: "Heard by Acme" });
  const { id } = made.body as { id: string };
  await using events = parseStream(
    await fetch(`${at.parlance.url}/api/v1/events`, {
      headers: { authorization: `Bearer ${tokens.get("gus")}` },
    }),
  );
  expect((await events.next()).event).toBe("ready");
  await ask("adam", "PATCH", `/groups/${id}`, { name: "Still" });
  await ask("gus", "POST", "/groups", { name: "Heard by Globex" });
  expect(await events.next()).toMatchObject({ event: "group", data: { id: null } });
});

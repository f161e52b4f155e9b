import { createPrivateKey, generateKeyPairSync } from "node:crypto";
import { SignJWT } from "jose";
import sql, { raw, Sql } from "sql-template-tag";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import type { Database } from "../../src/platform/db/database.ts";
import { off, switchable } from "../access/switches.ts";
import { askBelow, newPerson } from "../support/ask.ts";
import { startTestServer, type TestServer } from "../support/server.ts";

/**
 * Users of two tenants, and users who are gone: with the conditions of the statements that keep
 * them out, and without.
 */
const omitted = vi.hoisted(() => ({ conditions: [] as string[], db: [] as Database[] }));
vi.mock("../../src/platform/db/open-database.ts", async (original) => {
  const actual = await original<typeof import("../../src/platform/db/open-database.ts")>();
  const openDatabase = async (...given: Parameters<typeof actual.openDatabase>) => {
    const db = await actual.openDatabase(...given);
    omitted.db.push(db);
    return switchable(withoutOmitted(db));
  };
  return { ...actual, openDatabase };
});
beforeEach(() => {
  omitted.conditions = [];
  off.filters = false;
});

/** Removes conditions from statements, and is as the database otherwise. */
function withoutOmitted(db: Database): Database {
  return new Proxy(db, {
    get(target, name) {
      if (name === "query")
        return (statement: Sql) => target.query(withoutConditions(statement));
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? (value.bind(target) as unknown) : value; // private fields want their own object
    },
  });
}

function withoutConditions(statement: Sql): Sql {
  const strip = (text: string) =>
    omitted.conditions.reduce((rest, condition) => rest.replace(condition, ""), text);
  return new Sql(statement.strings.map(strip), statement.values);
}

/**
 * Removes a condition from a function of the running server's database while `work` runs.
 * @throws Error when the function has no such condition.
 */
async function withoutInFunction(
  name: string,
  condition: string,
  work: () => Promise<void>,
) {
  const db = omitted.db.at(-1);
  if (!db) throw new Error("No database is open.");
  const [row] = await db.query<{ definition: string }>(
    sql`select pg_get_functiondef(${name}::regproc) as definition`,
  );
  const definition = row?.definition ?? "";
  if (!definition.includes(condition)) throw new Error(`${name} has no "${condition}".`);
  await db.query(raw(definition.replace(condition, "")));
  try {
    await work();
  } finally {
    await db.query(raw(definition));
  }
}

const { publicKey, privateKey } = generateKeyPairSync("rsa", {
  modulusLength: 2048,
  publicKeyEncoding: { type: "spki", format: "pem" },
  privateKeyEncoding: { type: "pkcs8", format: "pem" },
});
const TENANTS = { anna: "acme", adam: "acme", abe: "acme", gina: "globex", gus: "globex" };
type Name = keyof typeof TENANTS;
const ADMINS: readonly Name[] = ["adam", "gus"];

function sign(name: Name): Promise<string> {
  const roles = ADMINS.includes(name) ? ["admin"] : ["user"];
  const email = `${name}@issuer.example`;
  return new SignJWT({ email, name, roles, clientId: TENANTS[name] })
    .setProtectedHeader({ alg: "RS256", typ: "at+jwt" })
    .setIssuer("https://issuer.example")
    .setAudience("parlance")
    .setSubject(name)
    .setIssuedAt()
    .setExpirationTime("1h")
    .sign(createPrivateKey(privateKey));
}

describe("tenants", () => {
  let parlance: TestServer;
  const tokens = {} as Record<Name, string>; // filled before the first test
  beforeAll(async () => {
    parlance = await startTestServer({
      JWT_PUBLIC_KEY: publicKey,
      JWT_ISSUER: "https://issuer.example",
    });
    for (const name of Object.keys(TENANTS) as Name[]) {
      tokens[name] = await sign(name);
      await as(name, "GET", "/conversation/chat-history"); // known from now on
    }
  });
  afterAll(() => parlance[Symbol.asyncDispose]());

  const ask = askBelow(() => parlance, "/api/v1");
  const as = (name: Name, method: string, path: string, body?: unknown) =>
    ask(method, path, { token: tokens[name], body });

  /** An agent of Anna's with a link for everyone. */
  async function linkedAgent(): Promise<string> {
    const agent = { name: "Anna's", type: "simple" };
    const { id } = (await as("anna", "POST", "/agent", agent)).body;
    const link = { enabled: true, accessLevel: "editor" };
    const path = `/sharing/links/agent/${id}`;
    await vi.waitFor(
      async () => expect((await as("anna", "PUT", path, link)).status).toBe(200),
      90_000,
    );
    return id;
  }
  const OF_TENANT = "and given.client_id = (select client_id from resource)";
  const IF_ACTIVE = "and person.state = 'active'";

  test("a link admits nobody of another tenant; off: without the condition it does", async () => {
    const id = await linkedAgent();
    const read = async () => (await as("gina", "GET", `/agent/${id}`)).status;
    expect(await read()).toBe(404);
    await withoutInFunction("users.grants_on", OF_TENANT, async () =>
      expect(await read()).toBe(200),
    );
    expect(await read()).toBe(404);
  });

  test("the audit log shows nothing of another tenant; off: without the filter it does", async () => {
    const id = await linkedAgent();
    const path = `/audit?resourceId=${id}`;
    const count = async (name: Name) => (await as(name, "GET", path)).body.total;
    expect(await count("adam")).toBeGreaterThan(0);
    expect(await count("gus")).toBe(0);
    off.filters = true;
    expect(await count("gus")).toBeGreaterThan(0);
  });

  test("a disabled user has no access; off: without the condition the user keeps it", async () => {
    const resourceId = await linkedAgent();
    const disable = (disabled: boolean) =>
      as("adam", "PATCH", "/users/external/abe", { disabled });
    const mayAbe = async () => {
      const asked = { resourceType: "agent", resourceId, userId: "abe" };
      return (await as("adam", "POST", "/sharing/check-access", asked)).body["hasAccess"];
    };
    expect((await disable(true)).status).toBe(200);
    expect(await mayAbe()).toBe(false);
    await withoutInFunction("users.grants", IF_ACTIVE, async () =>
      expect(await mayAbe()).toBe(true),
    );
    expect(await mayAbe()).toBe(false);
  });
});

test("a disabled user's key opens nothing; off: without the condition it still does", async () => {
  await using parlance = await startTestServer();
  const { id, token } = await newPerson(parlance, "leaver");
  const body = { name: "k" };
  const made = await parlance.request("/api/v1/auth/api-keys", { token, body });
  const { key } = (await made.json()) as { key: string };
  const ask = async () => {
    const headers = { "x-api-key": key };
    const path = "/api/v1/conversation/chat-history";
    return (await parlance.request(path, { token: null, headers })).status;
  };
  const disabled = { method: "PATCH", body: { disabled: true } };
  expect((await parlance.request(`/api/v1/users/${id}`, disabled)).status).toBe(200);
  expect(await ask()).toBe(401);
  omitted.conditions = ["and not u.disabled"];
  expect(await ask()).toBe(200);
});

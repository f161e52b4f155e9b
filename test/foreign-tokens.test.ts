import { createPrivateKey, generateKeyPairSync } from "node:crypto";
import { SignJWT } from "jose";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type TestServer, startTestServer } from "./support/server.ts";
import { automationsOf } from "./support/automations.ts";
import { held } from "./support/held.ts";

/** Tokens of another trusted issuer: correctly signed, each with one wrong claim. */
const { publicKey, privateKey } = generateKeyPairSync("rsa", {
  modulusLength: 2048,
  publicKeyEncoding: { type: "spki", format: "pem" },
  privateKeyEncoding: { type: "pkcs8", format: "pem" },
});
let parlance: TestServer;

beforeAll(async () => {
  parlance = await startTestServer({
    JWT_PUBLIC_KEY: publicKey,
    JWT_ISSUER: "https://issuer.example",
    JWT_AUDIENCE: "parlance",
  });
});
afterAll(() => parlance[Symbol.asyncDispose]());

interface Wrong {
  issuer?: string;
  audience?: string;
  expires?: string | null;
  subject?: string | null;
  type?: string;
  roles?: string[];
  algorithm?: string;
}
function sign({
  issuer = "https://issuer.example",
  audience = "parlance",
  expires = "5m",
  subject = "zoe",
  type = "at+jwt",
  roles = ["user"],
  algorithm = "RS256",
}: Wrong) {
  const token = new SignJWT({
    email: "zoe@issuer.example",
    name: "Zoe",
    roles,
    clientId: "default",
  })
    .setProtectedHeader({ alg: algorithm, typ: type })
    .setIssuer(issuer)
    .setAudience(audience)
    .setIssuedAt();
  if (subject !== null) token.setSubject(subject);
  if (expires !== null) token.setExpirationTime(expires);
  return token.sign(createPrivateKey(privateKey));
}

// all routes share one verifier, as test/access shows with the server's own tokens
test.each<[string, Wrong]>([
  ["expired", { expires: "-1m" }],
  ["for another audience", { audience: "another" }],
  ["of another issuer", { issuer: "https://another.example" }],
  ["without an expiry", { expires: null }],
  ["without a subject", { subject: null }],
  ["of another type", { type: "id+jwt" }],
  ["signed with PS256", { algorithm: "PS256" }],
  ["signed with RS512", { algorithm: "RS512" }],
])("a token that is %s is refused", async (_, wrong) => {
  expect(
    (
      await parlance.request("/api/v1/conversation/chat-history", {
        token: await sign(wrong),
      })
    ).status,
  ).toBe(401);
  held("tokens");
});

test("a valid token is admitted with unknown role names; `admin` counts, and a role known here restricts", async () => {
  const status = async (path: string, roles: string[], body?: unknown) =>
    (
      await parlance.request(path, {
        token: await sign({ roles }),
        ...(body !== undefined && { body }),
      })
    ).status;
  const odd = ["Some Role", "x".repeat(300), "staff"];
  expect(await status("/api/v1/conversation/chat-history", odd)).toBe(200);
  expect(await status("/api/v1/conversation/chat-history", [])).toBe(200);
  expect(await status("/api/v1/groups", odd)).toBe(403);
  expect(await status("/api/v1/groups", ["admin"])).toBe(200);
  expect(
    await status("/api/v1/agent", [...odd, "reader"], { name: "A", type: "simple" }),
  ).toBe(403);
  expect(await status("/api/v1/agent", odd, { name: "A", type: "simple" })).toBe(201);
});

test.each(["mia", "0f8fad5b-d9cb-469f-a165-70867728950e"])(
  "the user %s of another issuer has a profile, and no password and no API keys here",
  async (subject) => {
    const token = await sign({ subject });
    const ask = async (method: string, path: string, body?: unknown) => {
      const url = `/api/v1/auth/${path}`;
      const answer = await parlance.request(url, {
        token,
        method,
        ...(body !== undefined && { body }),
      });
      return {
        status: answer.status,
        body: (await answer.json()) as Record<string, unknown>,
      };
    };
    const profile = (await ask("GET", "me")).body;
    expect(profile).toMatchObject({ id: subject, name: "Zoe", roles: ["user"] });
    expect(profile["permissions"]).toContain("conversation:create");
    const newPassword = "correct horse battery";
    for (const refused of [
      await ask("PATCH", "me", { name: "Mia" }),
      await ask("POST", "password", { currentPassword: "x", newPassword }),
      await ask("POST", "api-keys", { name: "key" }),
    ])
      expect(refused).toMatchObject({ status: 403, body: { code: "account_elsewhere" } });
    expect((await ask("GET", "api-keys")).body).toMatchObject({ items: [], total: 0 });
    const noKey = await ask("DELETE", "api-keys/0f8fad5b-d9cb-469f-a165-70867728950e");
    expect(noKey.body).toMatchObject({ code: "api_key_not_found" });
  },
);

test("each role restricts, however many a token names", async () => {
  const many = Array.from({ length: 150 }, (_, at) => `department-${at}`);
  const token = await sign({ roles: [...many, "reader"] });
  const body = { name: "A", type: "simple" };
  const status = async () =>
    (await parlance.request("/api/v1/agent", { token, body })).status;
  expect(await status()).toBe(403);
  const admin = await sign({ subject: "boss", roles: ["admin"] });
  const group = { name: "Everyone who reads", roles: ["reader"] };
  const made = await parlance.request("/api/v1/groups", { token: admin, body: group });
  const { id } = (await made.json()) as { id: string };
  const member = `/api/v1/groups/${id}/members/zoe`;
  await parlance.request(member, { token: admin, method: "PUT" });
  expect(await status()).toBe(403);
  await parlance.request(`/api/v1/groups/${id}`, { token: admin, method: "DELETE" });
});

test("the roles of a group come to those that a token names, and take nothing away", async () => {
  const admin = await sign({ subject: "boss", roles: ["admin"] });
  const token = await sign({ subject: "gus", roles: ["staff"] });
  const status = async (path: string) => (await parlance.request(path, { token })).status;
  const history = "/api/v1/conversation/chat-history";
  expect([await status(history), await status("/api/v1/groups")]).toEqual([200, 403]);
  const body = { name: "Group administrators", roles: ["admin"] };
  const made = await parlance.request("/api/v1/groups", { token: admin, body });
  const { id } = (await made.json()) as { id: string };
  const member = `/api/v1/groups/${id}/members/gus`;
  await parlance.request(member, { token: admin, method: "PUT" });
  expect([await status(history), await status("/api/v1/groups")]).toEqual([200, 200]);
  await parlance.request(member, { token: admin, method: "DELETE" });
  expect([await status(history), await status("/api/v1/groups")]).toEqual([200, 403]);
});

test("what runs without a token has the roles of its user's last token", async () => {
  const admin = await sign({ subject: "boss", roles: ["admin"] });
  const permissions = [{ action: "create", subject: "conversation", inverted: true }];
  const role = { name: "no-replies", permissions };
  await parlance.request("/api/v1/roles", { token: admin, body: role });
  const tokenOf = (roles: string[]) => sign({ subject: "ria", roles });
  const maker = automationsOf(parlance, await tokenOf(["user"]));
  await maker.rule({ agents: [await maker.agent("one")] });
  const runAs = async (roles: string[]) => {
    const automations = automationsOf(parlance, await tokenOf(roles));
    const { body } = await automations.send(`as ${roles.join()}`, "words.txt");
    return (await automations.ended(body.runId)).status;
  };
  expect(await runAs(["user"])).toBe("completed");
  expect(await runAs(["user", "no-replies"])).toBe("failed");
});

test("nobody disables or deletes an administrator of the issuer who may do more", async () => {
  const admin = await sign({ subject: "boss", roles: ["admin"] });
  const permissions = [{ action: "create", subject: "agent", inverted: true }];
  const role = { name: "no-agents", permissions };
  await parlance.request("/api/v1/roles", { token: admin, body: role });
  const token = await sign({ subject: "deputy", roles: ["admin", "no-agents"] });
  const clerk = await sign({ subject: "clerk" });
  await parlance.request("/api/v1/conversation/chat-history", { token: clerk });
  const status = async (subject: string, method: string, body?: object) => {
    const path = `/api/v1/users/external/${subject}`;
    return (await parlance.request(path, { token, method, body })).status;
  };
  expect([
    await status("boss", "PATCH", { disabled: true }),
    await status("boss", "DELETE"),
    await status("clerk", "PATCH", { disabled: true }),
    await status("clerk", "DELETE"),
  ]).toEqual([403, 403, 200, 204]);
});

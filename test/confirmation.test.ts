import { afterAll, beforeAll, expect, test } from "vitest";
import { CLIENT, type OidcIssuer, startOidcIssuer } from "./support/oidc-issuer.ts";
import { type TestServer, startTestServer } from "./support/server.ts";

/** An administrator who signs in at an identity provider, and a member. */
const PASSWORD = "a long enough password";
let issuer: OidcIssuer;
let parlance: TestServer;
let member: string;

beforeAll(async () => {
  issuer = await startOidcIssuer();
  const acme = { name: "acme", issuer: issuer.url, clientId: CLIENT.id };
  parlance = await startTestServer({
    OIDC_PROVIDERS: JSON.stringify([
      { ...acme, clientSecret: CLIENT.secret, adminGroups: ["admins"] },
    ]),
  });
  member = await create("member@test.example");
});
afterAll(async () => {
  await parlance[Symbol.asyncDispose]();
  await issuer[Symbol.asyncDispose]();
});

async function create(email: string) {
  const body = { email, name: "Somebody", password: PASSWORD };
  const made = await parlance.request("/api/v1/users", { body });
  return ((await made.json()) as { id: string }).id;
}
async function signIn(query = "", claims: Record<string, unknown> = {}) {
  issuer.claims = {
    sub: "admin-1",
    email: "admin-1@example.org",
    email_verified: true,
    name: "Administrator",
    groups: ["admins"],
    ...claims,
  };
  const path = `${parlance.url}/api/v1/auth/oidc/acme${query}`;
  const start = await fetch(path, { redirect: "manual" });
  const asked = new URL(start.headers.get("location") ?? "");
  const there = await fetch(asked, { redirect: "manual" });
  const back = new URL(there.headers.get("location") ?? "");
  const cookie = start.headers.get("set-cookie")?.split(";")[0] ?? "";
  const answer = await fetch(parlance.url + back.pathname + back.search, {
    headers: { cookie },
  });
  const { accessToken = "", code } = (await answer.json()) as Record<string, string>;
  return { token: accessToken, code, asked: asked.searchParams };
}
async function exportBy(token: string, headers = {}) {
  const answer = await parlance.request(`/api/v1/users/${member}/export`, {
    token,
    headers,
  });
  const text = await answer.text();
  return answer.ok ? "done" : (JSON.parse(text) as { code: string }).code;
}
const confirm = async (token: string, password: string) =>
  (await parlance.request("/api/v1/auth/confirm", { token, body: { password } })).status;

test("who was still signed in at the identity provider proves again who they are, there", async () => {
  const silent = await signIn();
  expect(await exportBy(silent.token)).toBe("confirmation_required");
  const old = Math.floor(Date.now() / 1_000) - 3_600;
  expect(await exportBy((await signIn("", { auth_time: old })).token)).toBe(
    "confirmation_required",
  );
  expect((await signIn("?fresh=true", { auth_time: old })).code).toBe("sign_in_not_fresh");
  const fresh = await signIn("?fresh=true");
  expect(fresh.asked.get("prompt")).toBe("login");
  expect(await exportBy(fresh.token)).toBe("done");
  expect(await exportBy((await signIn("", { auth_time: old + 3_590 })).token)).toBe("done");
  expect(await exportBy(silent.token), "of another session").toBe("confirmation_required");
});

test("or by the password, which a wrong one does not", async () => {
  const { token } = await signIn("", { sub: "admin-2", email: "admin-2@example.org" });
  const { id } = (await (await parlance.request("/api/v1/auth/me", { token })).json()) as {
    id: string;
  };
  const reset = { method: "PATCH", body: { password: PASSWORD } };
  expect(
    (await parlance.request(`/api/v1/users/${member}`, { ...reset, token })).status,
  ).toBe(403);
  await parlance.request(`/api/v1/users/${id}`, reset);
  const again = await signIn("", { sub: "admin-2", email: "admin-2@example.org" });
  expect(await confirm(again.token, "not the password")).toBe(403);
  expect(await exportBy(again.token)).toBe("confirmation_required");
  expect(await confirm(again.token, PASSWORD)).toBe(204);
  expect(await exportBy(again.token)).toBe("done");
});

test("an API key proves nothing", async () => {
  const body = { name: "Script", scopes: ["user:administer"] };
  const made = await parlance.request("/api/v1/auth/api-keys", { body });
  const { key } = (await made.json()) as { key: string };
  expect(await exportBy(key)).toBe("confirmation_required");
});

import { afterAll, beforeAll, expect, test } from "vitest";
import { BROWSER, cookieOf } from "./support/session-cookie.ts";
import { ADMIN, type TestServer, startTestServer } from "./support/server.ts";

const USER = { email: "user@test.example", password: "a long enough password" };
const ORIGIN = "https://chat.test.example";

let parlance: TestServer;
beforeAll(async () => {
  parlance = await startTestServer();
  await parlance.request("/api/v1/users", { body: { ...USER, name: "User" } });
});
afterAll(() => parlance[Symbol.asyncDispose]());

type Sent = { method?: string; body?: unknown; headers?: Record<string, string> };
const as = (cookie: string, path: string, { headers = {}, ...sent }: Sent = {}) =>
  parlance.request(path, { ...sent, token: null, headers: { cookie, ...headers } });
const statusOf = async (answer: Promise<Response>) => (await answer).status;
const codeOf = async (answer: Promise<Response>) =>
  ((await (await answer).json()) as { code: string }).code;
const me = (cookie: string) => statusOf(as(cookie, "/api/v1/auth/me"));
const fields = async <T>(answer: Promise<Response>) => (await (await answer).json()) as T;
type Sessions = {
  items: { id: string; kind: string; userAgent: string; current: boolean }[];
};
const sessionsOf = (cookie: string) =>
  fields<Sessions>(as(cookie, "/api/v1/auth/sessions"));

test("a browser signs in with a cookie that scripts cannot read, and holds no token", async () => {
  const answer = await parlance.request("/api/v1/auth/session", {
    token: null,
    body: USER,
    headers: { ...BROWSER, "user-agent": `Test ${"x".repeat(1_000)}` },
  });
  expect(answer.status).toBe(201);
  expect(answer.headers.get("cache-control")).toBe("no-store");
  const [cookie = ""] = answer.headers.getSetCookie();
  expect(cookie).toMatch(
    /^parlance_session=sp_[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=/,
  );
  expect(await answer.text()).not.toMatch(/token"|eyJ/i);
  const pair = cookie.slice(0, cookie.indexOf(";"));
  expect(await fields(as(pair, "/api/v1/auth/me"))).toMatchObject({ email: USER.email });
  const [own] = (await sessionsOf(pair)).items.filter(({ current }) => current);
  expect(own?.kind).toBe("browser");
  expect(own?.userAgent.length).toBeLessThanOrEqual(300);
});

test("a page learns before the sign-in what the installation offers", async () => {
  const app = parlance.request("/api/v1/app", { token: null });
  expect(await fields(app)).toMatchObject({
    name: "Parlance",
    setup: false,
    signUp: false,
    providers: [],
    features: { documents: true, retrieval: true, flows: false, automations: true },
    limits: { uploadBytes: 100 * 2 ** 20, passwordCharacters: 12 },
  });
});

test("on HTTPS the cookie has the prefix that other subdomains cannot set", async () => {
  const cookie = await cookieOf(parlance, USER, { origin: ORIGIN });
  expect(cookie).toMatch(/^__Host-parlance_session=sh_/);
  expect(await me(cookie)).toBe(200);
  // another subdomain can set a cookie without the prefix, and cannot use this value in it
  expect(await me(cookie.replace("__Host-", ""))).toBe(401);
  const plain = await cookieOf(parlance, USER);
  expect(await me(`__Host-${plain}`)).toBe(401);
  expect(await me(`${plain}; ${cookie}`)).toBe(200);
  expect(await codeOf(as(`${plain}; ${plain}`, "/api/v1/auth/me"))).toBe(
    "session_ambiguous",
  );
});

test("only pages of this server may change anything with the cookie", async () => {
  const cookie = await cookieOf(parlance, USER);
  const change = (headers: Record<string, string>) =>
    statusOf(
      as(cookie, "/api/v1/preferences", { method: "PATCH", body: { a: 1 }, headers }),
    );
  const own = new URL(parlance.url).origin;
  expect(await change(BROWSER)).toBe(200);
  expect(await change({ origin: own, "x-parlance": "1" })).toBe(200);
  expect(await change({ "sec-fetch-site": "same-origin" })).toBe(403);
  expect(await change({ origin: own })).toBe(403);
  expect(await change({ "x-parlance": "1" })).toBe(403);
  expect(await change({ origin: "http://evil.example", "x-parlance": "1" })).toBe(403);
  expect(await change({ origin: "null", "x-parlance": "1" })).toBe(403);
  for (const site of ["cross-site", "same-site", "none", ""])
    expect(await change({ ...BROWSER, "sec-fetch-site": site, origin: own })).toBe(403);
  // sign-in itself: another site must not sign a browser in as someone else
  const signIn = (headers: Record<string, string>) =>
    codeOf(parlance.request("/api/v1/auth/session", { token: null, body: USER, headers }));
  expect(await signIn({})).toBe("cross_site_refused");
  expect(await signIn({ ...BROWSER, "sec-fetch-site": "cross-site" })).toBe(
    "cross_site_refused",
  );
});

test("a cookie beside another credential, or on the internal port, is refused", async () => {
  const cookie = await cookieOf(parlance, USER);
  const both = { authorization: `Bearer ${parlance.token}` };
  expect(await codeOf(as(cookie, "/api/v1/auth/me", { headers: both }))).toBe(
    "credentials_ambiguous",
  );
  const internal = await fetch(`${parlance.internalUrl}/api/v1/auth/me`, {
    headers: { cookie },
  });
  expect(internal.status).toBe(403);
  expect(await codeOf(Promise.resolve(internal))).toBe("browser_refused");
});

test("a sign-in sets a new cookie whatever the browser had, and ends the earlier session", async () => {
  const chosen = `parlance_session=sp_${"a".repeat(43)}`;
  const first = await cookieOf(parlance, USER, { cookie: chosen });
  expect(first).not.toBe(chosen);
  expect(await me(chosen)).toBe(401);
  const second = await cookieOf(parlance, USER, { cookie: first });
  expect(second).not.toBe(first);
  expect(await me(first)).toBe(401);
  expect(await me(second)).toBe(200);
});

test("sign-out removes the cookie and ends the session, also after a restart", async () => {
  const cookie = await cookieOf(parlance, USER);
  const out = await as(cookie, "/api/v1/auth/logout", { method: "POST", headers: BROWSER });
  expect(out.status).toBe(204);
  expect(out.headers.getSetCookie().map((header) => header.split(";")[0])).toEqual([
    "__Host-parlance_session=",
    "parlance_session=",
  ]);
  expect(await me(cookie)).toBe(401);
  const kept = await cookieOf(parlance, USER);
  await parlance.restart();
  expect(await me(cookie)).toBe(401);
  expect(await me(kept)).toBe(200);
});

test("a user sees their sessions, ends one, and ends all others", async () => {
  const [one, two, three] = [
    await cookieOf(parlance, USER),
    await cookieOf(parlance, USER),
    await cookieOf(parlance, USER),
  ];
  const token = await parlance.signIn(USER.email, USER.password);
  const { items } = await sessionsOf(two);
  const idOfTwo = items.find(({ current }) => current)?.id ?? "";
  expect(items.map(({ kind }) => kind)).toContain("token");
  const end = (id: string, cookie: string) =>
    statusOf(
      as(cookie, `/api/v1/auth/sessions/${id}`, { method: "DELETE", headers: BROWSER }),
    );
  expect(await end(crypto.randomUUID(), one)).toBe(404);
  const admin = await cookieOf(parlance, ADMIN);
  expect(await end(idOfTwo, admin)).toBe(404);
  expect(await end(idOfTwo, one)).toBe(204);
  expect(await me(two)).toBe(401);
  const others = as(one, "/api/v1/auth/sessions", { method: "DELETE", headers: BROWSER });
  expect((await fields<{ ended: number }>(others)).ended).toBeGreaterThanOrEqual(2);
  expect([await me(one), await me(three)]).toEqual([200, 401]);
  expect((await parlance.request("/api/v1/auth/me", { token })).status).toBe(401);
  expect((await sessionsOf(one)).items).toHaveLength(1);
});

test("downloads and streams work by cookie", async () => {
  const cookie = await cookieOf(parlance, USER);
  const sent = as(cookie, "/api/v1/conversation", {
    body: { content: "Hello" },
    headers: BROWSER,
  });
  expect(await (await sent).text()).toContain("event: done");
  const history = await fields<{ items: { id: string }[] }>(
    as(cookie, "/api/v1/conversation/chat-history"),
  );
  const exported = await as(cookie, `/api/v1/conversation/${history.items[0]?.id}/export`);
  expect(exported.headers.get("content-disposition")).toContain("attachment");
  expect(await exported.text()).toContain("Hello");
});

test("two concurrent refreshes both get tokens that work", async () => {
  const login = parlance.request("/api/v1/auth/login", { token: null, body: USER });
  const { refreshToken } = await fields<{ refreshToken: string }>(login);
  const refresh = () =>
    parlance.request("/api/v1/auth/refresh", { token: null, body: { refreshToken } });
  const answers = await Promise.all([refresh(), refresh()]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  for (const answer of answers) {
    const { accessToken } = (await answer.json()) as { accessToken: string };
    expect(
      await statusOf(parlance.request("/api/v1/auth/me", { token: accessToken })),
    ).toBe(200);
  }
});

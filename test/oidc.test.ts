import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type TestServer, startTestServer } from "./support/server.ts";
import { cookieOf } from "./support/session-cookie.ts";
import { scimClient } from "./support/scim.ts";
import { CLIENT, type OidcIssuer, startOidcIssuer } from "./support/oidc-issuer.ts";

let issuer: OidcIssuer;
let parlance: TestServer;
beforeAll(async () => {
  issuer = await startOidcIssuer();
  const acme = {
    name: "acme",
    issuer: issuer.url,
    clientId: CLIENT.id,
    clientSecret: CLIENT.secret,
    emailDomains: ["example.org"],
  };
  parlance = await startTestServer({
    OIDC_PROVIDERS: JSON.stringify([
      { ...acme, adminGroups: ["admins"] },
      { ...acme, name: "closed", signUp: false },
      { ...acme, name: "globex", tenant: "globex", adminGroups: ["admins"] },
      { ...acme, name: "everybody", tenant: "*" },
      { ...acme, name: "trusted", linkByEmail: true },
      { ...acme, name: "away", issuer: "http://127.0.0.1:1" },
    ]),
  });
});
afterAll(async () => {
  await parlance[Symbol.asyncDispose]();
  await issuer[Symbol.asyncDispose]();
});
let person = 0;
beforeEach(() => {
  person += 1;
  issuer.fault = undefined;
  issuer.failure = undefined;
  issuer.claims = {
    sub: `subject-${person}`,
    email: `person-${person}@example.org`,
    email_verified: true,
    name: `Person ${person}`,
  };
});

/** Acts as a browser, with its own cookie jar. */
async function begin(provider = "acme", query = "") {
  const start = await fetch(`${parlance.url}/api/v1/auth/oidc/${provider}${query}`, {
    redirect: "manual",
  });
  const there = await fetch(start.headers.get("location") ?? "", { redirect: "manual" });
  const back = new URL(there.headers.get("location") ?? "");
  return {
    url: parlance.url + back.pathname + back.search,
    cookie: start.headers.get("set-cookie")?.split(";")[0] ?? "",
  };
}
const finish = ({ url, cookie }: { url: string; cookie: string }) =>
  fetch(url, { headers: { cookie }, redirect: "manual" });
const signIn = async (provider?: string) => finish(await begin(provider));
const me = async (accessToken: string) =>
  (await parlance.request("/api/v1/auth/me", { token: accessToken })).json() as Promise<
    Record<string, unknown>
  >;
const code = async (response: Response) =>
  ((await response.json()) as { code: string }).code;

test("a user of the provider signs in, gets an account, and keeps it even with another email", async () => {
  const first = (await (await signIn()).json()) as { accessToken: string };
  const profile = await me(first.accessToken);
  expect(profile).toMatchObject({
    email: issuer.claims["email"],
    name: issuer.claims["name"],
    roles: ["user"],
  });
  issuer.claims = { ...issuer.claims, email: "changed@example.org" };
  const second = (await (await signIn()).json()) as { accessToken: string };
  expect((await me(second.accessToken))["id"]).toBe(profile["id"]);
  expect(issuer.exchanges.at(-1)?.get("code_verifier")).toBeTruthy();
});

test("a browser returns to its page with a code that it alone can exchange, once, never with a token in the address", async () => {
  const begun = await begin("acme", "?returnTo=/chat%3Fnew=1");
  const back = await finish(begun);
  const location = new URL(back.headers.get("location") ?? "");
  expect([back.status, location.pathname, location.search]).toEqual([
    302,
    "/chat",
    "?new=1",
  ]);
  const body = { code: new URLSearchParams(location.hash.slice(1)).get("code") ?? "" };
  const exchange = (headers: Record<string, string> = { cookie: begun.cookie }) =>
    parlance.request("/api/v1/auth/oidc/exchange", { body, token: null, headers });
  // otherwise a link with the code would sign somebody in to the account of whoever sends it
  const { cookie } = await begin();
  const others: Record<string, string>[] = [
    {},
    { cookie },
    { cookie: "parlance_sign_in=" },
  ];
  for (const headers of others) {
    expect(await code(await exchange(headers))).toBe("code_invalid");
    const inBrowser = await parlance.request("/api/v1/auth/session", {
      body,
      token: null,
      headers: { ...headers, "x-parlance": "1", "sec-fetch-site": "same-origin" },
    });
    expect(await code(inBrowser)).toBe("code_invalid");
  }
  const answers = await Promise.all([exchange(), exchange(), exchange()]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401]);
});

test.each(["nonce", "audience", "issuer", "expired", "foreign-key"] as const)(
  "an ID token with a wrong %s is refused",
  async (fault) => {
    issuer.fault = fault;
    const answer = await signIn();
    expect([answer.status, await code(answer)]).toEqual([401, "oidc_refused"]);
  },
);

test.each(["token", "userinfo"] as const)(
  "a failure at the %s endpoint is the provider's, and the browser returns with its code",
  async (at) => {
    const { email: _, ...others } = issuer.claims;
    issuer.claims = others;
    const codes = {
      reset: "oidc_provider_unreachable",
      challenge: "oidc_refused",
      status: "oidc_refused",
      text: "oidc_refused",
    };
    for (const how of Object.keys(codes) as (keyof typeof codes)[]) {
      issuer.failure = { at, how };
      const back = await finish(await begin("acme", "?returnTo=/"));
      expect(back.headers.get("location")).toContain(`#error=${codes[how]}`);
    }
    issuer.failure = undefined;
    expect((await signIn()).status).toBe(200);
  },
);

test("a sign-in can be completed only once, only in the browser that started it, and only at its provider", async () => {
  const begun = await begin();
  expect(await code(await finish({ ...begun, cookie: "parlance_sign_in=another" }))).toBe(
    "sign_in_expired",
  );
  expect(
    await code(await finish({ ...begun, url: begun.url.replace("/acme/", "/closed/") })),
  ).toBe("sign_in_expired");
  expect((await finish(begun)).status).toBe(200);
  expect(await code(await finish(begun))).toBe("sign_in_expired");
});

test("an email that is the userName of an account with another email makes no second account", async () => {
  const { ask } = await scimClient(parlance);
  const emails = [{ value: "mail-of-upn@example.org", primary: true }];
  const made = await ask("/Users", "POST", { userName: "upn@example.org", emails });
  expect(made.status).toBe(201);
  issuer.claims = { ...issuer.claims, email: "upn@example.org" };
  expect(await code(await signIn())).toBe("identity_conflict");
});

test("an existing account is linked only by a verified email, and keeps one identity of a provider", async () => {
  const email = `person-${person}@example.org`;
  const made = await parlance.request("/api/v1/users", {
    body: { email, name: "Existing" },
  });
  const { id } = (await made.json()) as { id: string };
  issuer.claims = { ...issuer.claims, email_verified: false };
  const unverified = await signIn();
  expect([unverified.status, await code(unverified)]).toEqual([403, "email_not_verified"]);
  issuer.claims = { ...issuer.claims, email_verified: true };
  const { accessToken } = (await (await signIn("closed")).json()) as {
    accessToken: string;
  };
  expect((await me(accessToken))["id"]).toBe(id);
  issuer.claims = { ...issuer.claims, sub: "somebody else" };
  expect(await code(await signIn())).toBe("identity_conflict");
  await parlance.request(`/api/v1/users/${id}`, {
    method: "PATCH",
    body: { disabled: true },
  });
  issuer.claims = { ...issuer.claims, sub: `subject-${person}` };
  expect(await code(await signIn())).toBe("user_disabled");
});

test("an account that is used with a password is linked only after its password, in the browser that began", async () => {
  const email = `person-${person}@example.org`;
  const password = "a long local password";
  const made = await parlance.request("/api/v1/users", {
    body: { email, name: "Local", password },
  });
  const { id } = (await made.json()) as { id: string };
  const refused = await signIn();
  expect(refused.status).toBe(403);
  expect(await refused.json()).toMatchObject({
    code: "link_password_required",
    details: { code: expect.any(String) },
  });
  const begun = await begin("acme", "?returnTo=/chat");
  const fragment = new URL((await finish(begun)).headers.get("location") ?? "").hash;
  const link = new URLSearchParams(fragment.slice(1)).get("link") ?? "";
  const send = (body: object, cookie = begun.cookie) =>
    parlance.request("/api/v1/auth/oidc/link", { body, token: null, headers: { cookie } });
  const { cookie: other } = await begin();
  expect(await code(await send({ code: link, password }, other))).toBe("code_invalid");
  expect(await code(await send({ code: "guessed", password }))).toBe("code_invalid");
  expect(await code(await send({ code: link, password: "wrong" }))).toBe(
    "credentials_wrong",
  );
  const linked = await send({ code: link, password });
  expect(linked.status).toBe(200);
  expect(await code(await send({ code: link, password }))).toBe("code_invalid");
  const exchanged = await parlance.request("/api/v1/auth/oidc/exchange", {
    body: await linked.json(),
    token: null,
    headers: { cookie: begun.cookie },
  });
  const { accessToken } = (await exchanged.json()) as { accessToken: string };
  expect((await me(accessToken))["id"]).toBe(id);
  const { accessToken: again } = (await (await signIn()).json()) as { accessToken: string };
  expect((await me(again))["id"]).toBe(id);
});

test("an account made without a password asks for it once somebody has used it, unless the operator trusts the emails", async () => {
  const email = `person-${person}@example.org`;
  const made = await parlance.request("/api/v1/users", { body: { email, name: "Made" } });
  const { id, password } = (await made.json()) as { id: string; password: string };
  const login = { body: { email, password }, token: null };
  expect((await parlance.request("/api/v1/auth/login", login)).status).toBe(200);
  expect(await code(await signIn())).toBe("link_password_required");
  const { accessToken } = (await (await signIn("trusted")).json()) as {
    accessToken: string;
  };
  expect((await me(accessToken))["id"]).toBe(id);
});

test("wrong passwords of a link are limited as those of every sign-in", async () => {
  const email = `person-${person}@example.org`;
  await parlance.request("/api/v1/users", {
    body: { email, name: "Local", password: "a long local password" },
  });
  const begun = await begin("acme", "?returnTo=/chat");
  const fragment = new URL((await finish(begun)).headers.get("location") ?? "").hash;
  const link = new URLSearchParams(fragment.slice(1)).get("link") ?? "";
  const guess = () =>
    parlance.request("/api/v1/auth/oidc/link", {
      body: { code: link, password: "wrong" },
      token: null,
      headers: { cookie: begun.cookie },
    });
  const codes: string[] = [];
  for (let n = 0; n < 6; n += 1) codes.push(await code(await guess()));
  expect(codes).toEqual([...Array<string>(5).fill("credentials_wrong"), "sign_in_limited"]);
});

test("no claim names the account of somebody else by characters that are lost when it is stored or in lower case", async () => {
  const email = `kim-${person}@example.org`;
  await parlance.request("/api/v1/users", { body: { email, name: "Kim" } });
  const kelvinSign = email.replace("k", "\u212a");
  for (const claim of [kelvinSign, ` ${email}`, `${"x".repeat(400)}@example.org`, "Kim"]) {
    issuer.claims = { ...issuer.claims, email: claim };
    expect(await code(await signIn())).toBe("email_not_verified");
  }
  issuer.claims = {
    ...issuer.claims,
    sub: `${person}-\ufffd`,
    email: `b-${person}@example.org`,
  };
  expect((await signIn()).status).toBe(200);
  for (const sub of [`${person}-\0`, `${person}-\ud800`, "", "x".repeat(20_000)]) {
    issuer.claims = { ...issuer.claims, sub };
    expect(await code(await signIn())).toBe("oidc_refused");
  }
});

test("a user without an account cannot create one where that is closed, nor with an email of another domain", async () => {
  expect(await code(await signIn("closed"))).toBe("sign_up_closed");
  issuer.claims = { ...issuer.claims, email: "eve@elsewhere.example" };
  expect(await code(await signIn())).toBe("email_domain_not_allowed");
});

test("the role of administrators follows the provider's groups", async () => {
  issuer.claims = { ...issuer.claims, groups: ["staff", "admins"] };
  const first = (await (await signIn()).json()) as { accessToken: string };
  expect((await me(first.accessToken))["roles"]).toEqual(["user", "admin"]);
  issuer.claims = { ...issuer.claims, groups: ["staff"] };
  const second = (await (await signIn()).json()) as { accessToken: string };
  expect((await me(second.accessToken))["roles"]).toEqual(["user"]);
});

/** How providers say that a person is in the group `admins`. */
const DIALECTS: Record<string, { claims?: object; userinfo?: Record<string, unknown> }> = {
  "in the userinfo": { userinfo: { groups: ["admins"] } },
  "as text": { claims: { groups: "admins" } },
  "as a list in text": { claims: { groups: "staff, admins" } },
  "as objects": { claims: { groups: [{ name: "staff" }, { name: "admins" }] } },
};

test.each(Object.entries(DIALECTS))(
  "groups are read %s, and a verified email written as text",
  async (_, { claims, userinfo }) => {
    issuer.claims = { ...issuer.claims, email_verified: "true", ...claims };
    issuer.userinfo = userinfo;
    const { accessToken } = (await (await signIn()).json()) as { accessToken: string };
    issuer.userinfo = undefined;
    expect((await me(accessToken))["roles"]).toEqual(["user", "admin"]);
  },
);

test.each([{ hasgroups: true }, { _claim_names: { groups: "src1" } }])(
  "an administrator with too many groups for a token keeps the role: %j",
  async (overage) => {
    const { claims } = issuer;
    issuer.claims = { ...claims, groups: ["admins"] };
    await signIn();
    issuer.claims = { ...claims, ...overage };
    const { accessToken } = (await (await signIn()).json()) as { accessToken: string };
    expect((await me(accessToken))["roles"]).toEqual(["user", "admin"]);
    issuer.claims = claims;
    const last = (await (await signIn()).json()) as { accessToken: string };
    expect((await me(last.accessToken))["roles"]).toEqual(["user"]);
  },
);

/** Several sign-ins of one person, which return from the provider at once. */
async function signInAtOnce() {
  const begun = await Promise.all(Array.from({ length: 6 }, () => begin()));
  const answers = await Promise.all(begun.map(finish));
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  const tokens = await Promise.all(answers.map((answer) => answer.json()));
  return Promise.all(
    (tokens as { accessToken: string }[]).map((one) => me(one.accessToken)),
  );
}

test("all sign-ins of a person succeed at once while their role changes", async () => {
  await signIn();
  for (const [groups, roles] of [
    [["admins"], ["user", "admin"]],
    [[], ["user"]],
  ]) {
    issuer.claims = { ...issuer.claims, groups };
    const people = await signInAtOnce();
    expect(people.map((one) => one["roles"])).toEqual(people.map(() => roles));
  }
});

test("all first sign-ins of a person succeed at once, with one account", async () => {
  issuer.claims = { ...issuer.claims, groups: ["admins"] };
  const people = await signInAtOnce();
  expect(new Set(people.map(({ id }) => id)).size).toBe(1);
  expect(people.map(({ roles }) => roles)).toEqual(people.map(() => ["user", "admin"]));
});

test("members by the provider have the roles of a group until a sign-in no longer names it", async () => {
  const group = { name: "Readers", externalName: "readers", roles: ["reader"] };
  await parlance.request("/api/v1/groups", { body: group });
  issuer.claims = { ...issuer.claims, groups: ["readers"] };
  const first = (await (await signIn()).json()) as { accessToken: string };
  expect((await me(first.accessToken))["roles"]).toEqual(["user", "reader"]);
  issuer.claims = { ...issuer.claims, groups: [] };
  await signIn();
  expect((await me(first.accessToken))["roles"]).toEqual(["user"]);
});

test("a provider of a tenant makes and signs in accounts of that tenant alone", async () => {
  const tokenOf = async (answer: Response) =>
    ((await answer.json()) as { accessToken: string }).accessToken;
  const made = await me(await tokenOf(await signIn("globex")));
  expect(made["clientId"]).toBe("globex");
  issuer.claims = { ...issuer.claims, groups: ["admins"] };
  expect(await code(await signIn("acme"))).toBe("account_of_other_tenant");
  expect((await me(await tokenOf(await signIn("everybody"))))["id"]).toBe(made["id"]);

  const email = `person-${person}-b@example.org`;
  const body = { email, name: "Administrator", roles: ["admin"] };
  expect((await parlance.request("/api/v1/users", { body })).status).toBe(201);
  issuer.claims = {
    ...issuer.claims,
    sub: `subject-${person}-b`,
    email,
    groups: ["admins"],
  };
  expect(await code(await signIn("globex"))).toBe("account_of_other_tenant");
  expect((await me(await tokenOf(await signIn("acme"))))["clientId"]).toBe("default");
});

test("an unknown provider, an unavailable one and a foreign return address are refused with a clear reason", async () => {
  const asked = async (path: string) => {
    const answer = await fetch(parlance.url + path, { redirect: "manual" });
    return [answer.status, await code(answer)];
  };
  expect(await asked("/api/v1/auth/oidc/nobody")).toEqual([404, "oidc_provider_unknown"]);
  expect(await asked("/api/v1/auth/oidc/away")).toEqual([502, "oidc_provider_unreachable"]);
  for (const path of ["https://evil.example", "//evil.example", "/\\evil.example"])
    expect(
      await asked(`/api/v1/auth/oidc/acme?returnTo=${encodeURIComponent(path)}`),
    ).toEqual([400, "return_to_foreign"]);
  const list = (await (await fetch(`${parlance.url}/api/v1/auth/oidc`)).json()) as {
    items: unknown[];
  };
  expect(list.items).toHaveLength(6);
  expect(JSON.stringify(list)).not.toContain("planted");
});

const logout = (token: string, provider = "acme") =>
  fetch(`${parlance.url}/api/v1/auth/oidc/${provider}/backchannel-logout`, {
    method: "POST",
    body: new URLSearchParams({ logout_token: token }),
  });
const isSignedIn = async (accessToken: string) =>
  (await parlance.request("/api/v1/auth/me", { token: accessToken })).status === 200;
const accessOf = async (response: Response) =>
  ((await response.json()) as { accessToken: string }).accessToken;

test("who signs out at the provider is signed out here, of that session alone", async () => {
  const { sub } = issuer.claims;
  issuer.claims = { ...issuer.claims, sid: "session-one" };
  const one = await accessOf(await signIn());
  issuer.claims = { ...issuer.claims, sid: "session-two" };
  const two = await accessOf(await signIn());
  expect(await isSignedIn(one)).toBe(true);

  const answer = await logout(
    await issuer.logoutToken({ sub: sub ?? "", sid: "session-one" }),
  );
  expect([answer.status, answer.headers.get("cache-control")]).toEqual([200, "no-store"]);
  expect([await isSignedIn(one), await isSignedIn(two)]).toEqual([false, true]);
});

test("a session of a browser ends, too, and all of a person where no session is named", async () => {
  const started = await begin("acme", "?returnTo=/");
  const back = await finish(started);
  const { hash } = new URL(back.headers.get("location") ?? "");
  const code = new URLSearchParams(hash.slice(1)).get("code") ?? "";
  const cookie = await cookieOf(parlance, { code }, { cookie: started.cookie });
  const readMe = () => fetch(`${parlance.url}/api/v1/auth/me`, { headers: { cookie } });
  expect((await readMe()).status).toBe(200);
  const other = await accessOf(await signIn());
  const elsewhere = await accessOf(await signIn("everybody"));
  await logout(await issuer.logoutToken({ sub: issuer.claims.sub ?? "" }));
  expect((await readMe()).status).toBe(401);
  expect(await isSignedIn(other)).toBe(false);
  // the same person at another provider
  expect(await isSignedIn(elsewhere)).toBe(true);
});

test("a message of the provider ends no session that began after it, however late it comes", async () => {
  const sub = issuer.claims.sub ?? "";
  const late = await issuer.logoutToken({ sub, iat: Math.floor(Date.now() / 1_000) - 120 });
  const token = await accessOf(await signIn());
  expect((await logout(late)).status).toBe(200);
  expect(await isSignedIn(token)).toBe(true);
});

test("nothing but a fresh logout token of the provider for this client ends a session", async () => {
  const sub = issuer.claims.sub ?? "";
  const token = await accessOf(await signIn());
  const forged = [
    issuer.logoutToken({ sub }, {}, "foreign"),
    issuer.logoutToken({ sub, iss: "https://elsewhere.example" }),
    issuer.logoutToken({ sub, aud: "another" }),
    issuer.logoutToken({ sub, iat: Math.floor(Date.now() / 1_000) - 3_600 }),
    issuer.logoutToken({ sub, nonce: "an ID token" }),
    issuer.logoutToken({ sub, events: {} }),
    issuer.logoutToken({ sub }, { typ: "at+jwt" }),
    issuer.logoutToken({ sub }, { kid: "unknown" }),
    issuer.logoutToken({}),
    Promise.resolve(""),
    Promise.resolve("x".repeat(20_000)),
    Promise.resolve(
      `${Buffer.from('{"alg":"none"}').toString("base64url")}.${Buffer.from(JSON.stringify({ sub })).toString("base64url")}.`,
    ),
  ];
  const answers = await Promise.all(
    forged.map(async (one) => (await logout(await one)).status),
  );
  expect(answers).toEqual(forged.map(() => 400));
  expect((await logout(await issuer.logoutToken({ sub }), "nobody")).status).toBe(404);
  expect((await logout(await issuer.logoutToken({ sub }), "away")).status).toBe(502);
  expect(await isSignedIn(token)).toBe(true);
  expect((await logout(await issuer.logoutToken({ sub }))).status).toBe(200);
  expect(await isSignedIn(token)).toBe(false);
});

import { afterAll, beforeAll, expect, test } from "vitest";
import { ADMIN, type TestServer, startTestServer } from "./support/server.ts";
import { held } from "./support/held.ts";

const accountBound = 20;
const networkBound = 10;
const PASSWORD = "a long enough password";
let parlance: TestServer;
beforeAll(async () => {
  parlance = await startTestServer({
    TRUST_PROXY: "true",
    SIGN_IN_NETWORK_LIMIT: String(networkBound),
  });
  for (const name of ["parallel", "other", "changing"])
    await parlance.request("/api/v1/users", {
      body: { email: `${name}@test.example`, name, password: PASSWORD },
    });
});
afterAll(() => parlance[Symbol.asyncDispose]());

const signIn = (email: string, password: string, from: string) =>
  parlance.request("/api/v1/auth/login", {
    token: null,
    body: { email, password },
    headers: { "x-forwarded-for": from },
  });
const statuses = (responses: Response[]) => responses.map(({ status }) => status);

test("of many concurrent guesses at an account, five are verified from one network and twenty from many", async () => {
  const guessFrom = (networks: string[]) =>
    Promise.all(
      networks.map((from, n) => signIn("parallel@test.example", `wrong ${n}`, from)),
    );
  const near = await guessFrom(Array.from({ length: 8 }, () => "198.51.100.100"));
  expect(statuses(near).sort()).toEqual([401, 401, 401, 401, 401, 429, 429, 429]);
  const far = await guessFrom(Array.from({ length: 30 }, (_, n) => `198.51.100.${n}`));
  const verified = statuses([...near, ...far]).filter((status) => status === 401);
  expect(verified).toHaveLength(accountBound);
  const right = await signIn("parallel@test.example", PASSWORD, "198.51.100.200");
  expect(right.status).toBe(429);
  expect(await right.json()).toMatchObject({ code: "sign_in_limited" });
  expect(Number(right.headers.get("retry-after"))).toBeGreaterThan(0);
  expect((await signIn("other@test.example", PASSWORD, "198.51.100.0")).status).toBe(200);
  held("guesses", near.length + far.length);
});

test("a network that guessed too often is refused for every account, in any spelling of its IPv6 address", async () => {
  const spellings = [
    "2001:db8::1",
    "2001:db8:0:0:ffff::2",
    "2001:0db8:0000:0000:1:2:3:4",
    "[2001:db8::5]",
    "2001:DB8::6",
  ];
  const addresses = [...spellings, ...spellings];
  expect(addresses).toHaveLength(networkBound);
  for (const [n, from] of addresses.entries())
    expect((await signIn(`nobody-${n}@test.example`, "wrong", from)).status).toBe(401);
  expect((await signIn("other@test.example", PASSWORD, "2001:db8::7")).status).toBe(429);
  expect((await signIn("other@test.example", PASSWORD, "2001:db8:0:1::7")).status).toBe(
    200,
  );
  held("guesses", addresses.length + 1);
});

test("guesses by others lock no user out of a familiar network, and are in the audit log", async () => {
  const home = "203.0.113.77";
  expect((await signIn(ADMIN.email, ADMIN.password, home)).status).toBe(200);
  // behind the same address, for other accounts
  for (let n = 0; n < networkBound; n += 1)
    await signIn(`nobody-${n}@test.example`, "wrong", home);
  expect((await signIn("other@test.example", PASSWORD, home)).status).toBe(429);
  expect((await signIn(ADMIN.email, ADMIN.password, home)).status).toBe(200);
  // for the same account, from elsewhere
  for (let n = 0; n < accountBound; n += 1)
    await signIn(ADMIN.email, `wrong ${n}`, `198.18.0.${n}`);
  expect((await signIn(ADMIN.email, ADMIN.password, "198.18.1.1")).status).toBe(429);
  expect((await signIn(ADMIN.email, ADMIN.password, home)).status).toBe(200);
  // and still only five guesses from there
  const guesses: number[] = [];
  for (let n = 0; n < 6; n += 1)
    guesses.push((await signIn(ADMIN.email, "no", home)).status);
  expect(guesses).toEqual([401, 401, 401, 401, 401, 429]);
  const audit = (await (
    await parlance.request("/api/v1/audit?action=sign_in.limited&limit=100")
  ).json()) as { items: { details: { limit: string; network: string } }[] };
  const noticed = audit.items.map(
    ({ details: { limit, network } }) => `${limit} ${network}`,
  );
  for (const limit of ["sign-in-network", "sign-in-pair"])
    expect(noticed).toContain(`${limit} ${home}`);
  expect(noticed.some((line) => line.startsWith("sign-in-account 198.18."))).toBe(true);
}, 240_000);

test("right passwords do not count, also when many users behind one address sign in at once", async () => {
  const office = await Promise.all(
    Array.from({ length: 12 }, (_, n) =>
      signIn(
        n % 2 ? "other@test.example" : "changing@test.example",
        PASSWORD,
        "203.0.113.5",
      ),
    ),
  );
  expect(new Set(statuses(office))).toEqual(new Set([200]));
});

test("changing a password counts its guesses together with sign-in", async () => {
  const { accessToken } = (await (
    await signIn("changing@test.example", PASSWORD, "192.0.2.1")
  ).json()) as {
    accessToken: string;
  };
  const change = (currentPassword: string, from: string) =>
    parlance.request("/api/v1/auth/password", {
      token: accessToken,
      body: { currentPassword, newPassword: "another long password" },
      headers: { "x-forwarded-for": from },
    });
  const guesses = await Promise.all(
    Array.from({ length: 8 }, (_, n) => change(`wrong ${n}`, "192.0.2.10")),
  );
  expect(statuses(guesses).sort()).toEqual([403, 403, 403, 403, 403, 429, 429, 429]);
  expect((await change(PASSWORD, "192.0.2.10")).status).toBe(429);
  expect((await signIn("changing@test.example", PASSWORD, "192.0.2.10")).status).toBe(429);
});

test("of several changes of a password at once, one counts", async () => {
  const email = "racing@test.example";
  await parlance.request("/api/v1/users", {
    body: { email, name: "Racing", password: PASSWORD },
  });
  const token = await parlance.signIn(email, PASSWORD);
  const wanted = Array.from({ length: 6 }, (_, n) => `another long password ${n}`);
  const changes = await Promise.all(
    wanted.map((newPassword, n) =>
      parlance.request("/api/v1/auth/password", {
        token,
        body: { currentPassword: PASSWORD, newPassword },
        headers: { "x-forwarded-for": `198.51.100.${n}` },
      }),
    ),
  );
  const done = changes.filter(({ ok }) => ok);
  expect(done).toHaveLength(1);
  const chosen = wanted[changes.findIndex(({ ok }) => ok)] ?? "";
  expect((await signIn(email, chosen, "198.51.100.1")).status).toBe(200);
});

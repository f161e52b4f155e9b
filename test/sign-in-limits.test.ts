import { afterAll, beforeAll, expect, test } from "vitest";
import { ADMIN, type TestServer, startTestServer } from "./support/server.ts";

const PASSWORD = "a long enough password";
let parlance: TestServer;
beforeAll(async () => {
  parlance = await startTestServer({ TRUST_PROXY: "true" });
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

test("of many guesses at once on one account from many networks five are looked at, and then not even the right one is let in", async () => {
  const guesses = await Promise.all(
    Array.from({ length: 30 }, (_, n) =>
      signIn("parallel@test.example", `wrong ${n}`, `198.51.100.${n}`),
    ),
  );
  expect(statuses(guesses).sort()).toEqual([
    ...Array<number>(5).fill(401),
    ...Array<number>(25).fill(429),
  ]);
  const right = await signIn("parallel@test.example", PASSWORD, "198.51.100.200");
  expect(right.status).toBe(429);
  expect(await right.json()).toMatchObject({ code: "sign_in_limited" });
  expect(Number(right.headers.get("retry-after"))).toBeGreaterThan(0);
  expect((await signIn("other@test.example", PASSWORD, "198.51.100.0")).status).toBe(200);
});

test("a network that guessed too often is refused for every account, however its IPv6 address is written", async () => {
  const addresses = [
    "2001:db8::1",
    "2001:db8:0:0:ffff::2",
    "2001:0db8:0000:0000:1:2:3:4",
    "[2001:db8::5]",
    "2001:DB8::6",
  ];
  for (const [n, from] of addresses.entries())
    expect((await signIn(`nobody-${n}@test.example`, "wrong", from)).status).toBe(401);
  expect((await signIn("other@test.example", PASSWORD, "2001:db8::7")).status).toBe(429);
  expect((await signIn("other@test.example", PASSWORD, "2001:db8:0:1::7")).status).toBe(200);
});

test("right passwords cost nothing, also when many people behind one address sign in at once", async () => {
  const office = await Promise.all(
    Array.from({ length: 12 }, (_, n) =>
      signIn(
        n % 2 ? "other@test.example" : ADMIN.email,
        n % 2 ? PASSWORD : ADMIN.password,
        "203.0.113.5",
      ),
    ),
  );
  expect(new Set(statuses(office))).toEqual(new Set([200]));
});

test("changing a password takes no more guesses than signing in, and counts with it", async () => {
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
    Array.from({ length: 8 }, (_, n) => change(`wrong ${n}`, `192.0.2.${n + 10}`)),
  );
  expect(statuses(guesses).sort()).toEqual([403, 403, 403, 403, 403, 429, 429, 429]);
  expect((await change(PASSWORD, "192.0.2.30")).status).toBe(429);
  expect((await signIn("changing@test.example", PASSWORD, "192.0.2.31")).status).toBe(429);
});

import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Unauthorized } from "../platform/http/errors.ts";
import { createApiKeys } from "./api-keys.ts";

const USER = { userId: "u", email: "", name: "", roles: ["user"], clientId: "c" };
const KEY = { user: USER, keyId: "k", expiresAt: null as string | null };

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function setUp(first: Partial<typeof KEY> = {}) {
  let answer: object = { ...KEY, ...first };
  let asked = 0;
  const revoked = new Set<string | undefined>();
  const revocations = {
    rolesVersion: 0,
    check(userId: string, id?: string) {
      if (revoked.has(userId) || revoked.has(id))
        throw new Unauthorized("token_revoked", "Ended.");
    },
  };
  const users = async () => {
    asked += 1;
    return Response.json(answer);
  };
  return {
    verify: createApiKeys({ users: () => users, revocations }),
    revoked,
    revocations,
    asked: () => asked,
    answers: (next: object) => (answer = { ...KEY, ...next }),
  };
}

test("a key that calls often is verified once a second", async () => {
  const { verify, asked } = setUp();
  for (let call = 0; call < 10; call += 1)
    expect(await verify("pk_1")).toEqual({ kind: "user", via: "key", ...USER });
  expect(asked()).toBe(1);
  await verify("pk_2");
  expect(asked()).toBe(2);
  vi.advanceTimersByTime(1_001);
  await verify("pk_1");
  expect(asked()).toBe(3);
});

test("requests that come at once share one question", async () => {
  const { verify, asked } = setUp();
  await Promise.all([verify("pk_1"), verify("pk_1"), verify("pk_1")]);
  expect(asked()).toBe(1);
});

test.each(["k", "u"])("what revokes %s is heard at once", async (id) => {
  const { verify, revoked, asked } = setUp();
  await verify("pk_1");
  revoked.add(id);
  await verify("pk_1");
  await verify("pk_1");
  expect(asked()).toBe(3);
});

test("a change of roles is heard at once", async () => {
  const { verify, revocations, answers } = setUp();
  await verify("pk_1");
  answers({ user: { ...USER, roles: ["guest"] } });
  revocations.rolesVersion += 1;
  expect((await verify("pk_1")).roles).toEqual(["guest"]);
});

test("a key is never kept longer than it lives", async () => {
  const { verify, asked } = setUp({ expiresAt: new Date(Date.now() + 300).toISOString() });
  await verify("pk_1");
  await verify("pk_1");
  expect(asked()).toBe(1);
  vi.advanceTimersByTime(301);
  await verify("pk_1");
  expect(asked()).toBe(2);
});

test("without a name that a revocation could name, a key is verified each time", async () => {
  const { verify, answers, asked } = setUp();
  answers({ keyId: undefined });
  await verify("pk_1");
  await verify("pk_1");
  expect(asked()).toBe(2);
});

import { describe, expect, test } from "vitest";
import { createRevocations } from "../../src/platform/auth/revocations.ts";
import type { Cache } from "../../src/platform/cache/cache.ts";
import { openCache } from "../../src/platform/cache/open-cache.ts";
import type { User } from "../../src/platform/http/caller.ts";
import { createStreamLimit } from "../../src/platform/http/stream-limit.ts";
import { silentLog } from "../../src/platform/telemetry/log.ts";
import { createGuessLimit } from "../../src/services/users/sign-in/limit-guesses.ts";

/**
 * Tries each attack against the defence, and against the same code with the defence switched off.
 * It must fail against the first and succeed against the second, which shows that the defence is
 * the reason.
 */
const openMemoryCache = () =>
  openCache({ redisUrl: undefined, namespace: "defences", log: silentLog() });
const ATTEMPTS = 40;

describe("durable revocation", () => {
  type Page = Awaited<ReturnType<Parameters<typeof createRevocations>[0]["read"]>>;
  const ENTRIES: Page["entries"] = [
    { kind: "user", id: "ann", revoked: true, expiresAt: null },
    {
      kind: "session",
      id: "s1",
      revoked: true,
      expiresAt: new Date(2 ** 42).toISOString(),
    },
  ];

  /** Uses the token of a disabled user, and that of an ended session, in a new process. */
  async function useRevokedTokens(stored: Page["entries"]): Promise<string[]> {
    const page = {
      entries: stored,
      cursor: stored.length,
      isComplete: true,
      isRestart: true,
    };
    const revocations = createRevocations({ read: async () => page, log: silentLog() });
    await revocations.refresh();
    const codeOf = (userId: string, sessionId: string) => {
      try {
        revocations.check(userId, sessionId);
        return "accepted";
      } catch (error) {
        return (error as { code: string }).code; // an ApiError has one
      }
    };
    const codes = [codeOf("ann", "s2"), codeOf("bob", "s1"), codeOf("bob", "s2")];
    await revocations.close();
    return codes;
  }

  test("refuses revoked tokens in a new process", async () => {
    const revoked = ["token_revoked", "token_revoked", "accepted"];
    expect(await useRevokedTokens(ENTRIES)).toEqual(revoked);
  });

  test("off: a process that starts without the stored list accepts them", async () => {
    expect(await useRevokedTokens([])).toEqual(["accepted", "accepted", "accepted"]);
  });
});

describe("guess limits", () => {
  /** @returns the number of verified wrong passwords: from one network, then from many. */
  async function guess(cache: Cache): Promise<[near: number, far: number]> {
    const limit = createGuessLimit(cache, 1_000, async () => {});
    const verified = async (peerOf: (index: number) => string) => {
      let count = 0;
      for (let index = 0; index < ATTEMPTS; index += 1) {
        const verify = async () => {
          count += 1;
          return null;
        };
        await limit.verifyLimited("ann", peerOf(index), verify).catch(() => {}); // limited
      }
      return count;
    };
    return [
      await verified(() => "192.0.2.1"),
      await verified((index) => `198.51.100.${index}`),
    ];
  }

  test("verify five guesses from one network, and twenty from all", async () => {
    await using cache = await openMemoryCache();
    const [near, far] = await guess(cache);
    expect([near, near + far]).toEqual([5, 20]);
  });

  test("off: every guess is verified", async () => {
    await using cache = await openMemoryCache();
    const allowed = { allowed: true, remaining: 1, retryAfterMs: 0 };
    const off = Object.assign(Object.create(cache) as Cache, { take: async () => allowed });
    expect(await guess(off)).toEqual([ATTEMPTS, ATTEMPTS]);
  });
});

describe("caps per user", () => {
  const user: User = {
    kind: "user",
    via: "jwt",
    userId: "ann",
    clientId: "default",
    email: "",
    name: "",
    roles: [],
  };

  /** @returns how many streams one user opens on two replicas. */
  async function openStreams(cache: Cache, max: number): Promise<number> {
    const replicas = [createStreamLimit(cache, max), createStreamLimit(cache, max)];
    let open = 0;
    for (let index = 0; index < ATTEMPTS; index += 1) {
      const entered = replicas[index % 2]?.enter(user);
      await entered?.then(
        () => (open += 1),
        () => {}, // refused
      );
    }
    return open;
  }

  test("limit the open streams of a user on all replicas", async () => {
    await using cache = await openMemoryCache();
    expect(await openStreams(cache, 5)).toBe(5);
  });

  test("off: unshared places, or a limit that is out of reach, admit more", async () => {
    await using cache = await openMemoryCache();
    const unshared = Object.assign(Object.create(cache) as Cache, {
      add: async () => true,
    });
    expect(await openStreams(unshared, 5)).toBe(10);
    expect(await openStreams(cache, 1_000)).toBe(ATTEMPTS);
  });
});

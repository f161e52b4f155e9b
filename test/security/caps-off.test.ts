import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import type { insertWithinLimit } from "../../src/platform/db/insert-within-limit.ts";
import { ApiError } from "../../src/platform/http/errors.ts";
import { createFairQueue } from "../../src/platform/fair-queue.ts";
import { limitExports } from "../../src/services/core/limit-exports.ts";
import { automationsOf } from "../support/automations.ts";
import { startTestServer, type TestServer } from "../support/server.ts";

/**
 * One user asks for more than a limit permits: against the limit, and against the same code with
 * the limit switched off. Limits of which a setting gives the number are in
 * `limits-of-one-user.test.ts`.
 */
const check = vi.hoisted(() => ({ isOff: false }));
vi.mock("../../src/platform/db/insert-within-limit.ts", async (original) => {
  const actual = await original<{ insertWithinLimit: typeof insertWithinLimit }>();
  const insert: typeof insertWithinLimit = (db, limit, work) =>
    check.isOff ? db.tx(work) : actual.insertWithinLimit(db, limit, work);
  return { ...actual, insertWithinLimit: insert };
});
beforeEach(() => {
  check.isOff = false;
});

describe("what a user stores", () => {
  let parlance: TestServer;
  let token: string;
  let agents: string[];
  beforeAll(async () => {
    parlance = await startTestServer({ DOCUMENTS_QUOTA_BYTES: "30" });
    const [email, password] = ["user@test.example", "a long enough password"];
    await parlance.request("/api/v1/users", { body: { email, name: "User", password } });
    token = await parlance.signIn(email, password);
    agents = [await automationsOf(parlance, token).agent("one")];
  });
  afterAll(() => parlance[Symbol.asyncDispose]());

  const cases: [string, string, () => object][] = [
    ["API keys", "/api/v1/auth/api-keys", () => ({ name: "k" })],
    ["rules", "/api/automations", () => ({ name: "Rule", type: "x", agents })],
    ["sources", "/api/automations/sources", () => ({ kind: "webhook", name: "Hook" })],
    [
      "schedules",
      "/api/automations/schedules",
      () => ({ name: "Plan", cron: "0 9 * * *", input: "Go.", agents }),
    ],
  ];

  test.each(cases)("%s are at most 100; off: there are more", async (_, path, body) => {
    const make = async () => (await parlance.request(path, { token, body: body() })).status;
    const makeMany = async () => {
      const statuses = new Set<number>();
      for (let count = 0; count < 101; count += 1) statuses.add(await make());
      return [...statuses].sort();
    };
    expect(await makeMany()).toEqual([201, 409]);
    check.isOff = true;
    expect(await make()).toBe(201);
  });

  const upload = async (of: TestServer, text: string) => {
    const form = new FormData();
    form.append("file", new File([text], `${text}.txt`));
    const headers = { authorization: `Bearer ${of.token}` };
    const answer = await fetch(`${of.url}/api/v1/documents`, {
      method: "POST",
      headers,
      body: form,
    });
    await answer.body?.cancel();
    return answer.status;
  };

  test("bytes of documents stay below the quota; off: with a quota out of reach they do not", async () => {
    const texts = ["Twenty bytes or more.", "Twenty more of them."];
    const uploadAll = async (to: TestServer) => [
      await upload(to, texts[0] ?? ""),
      await upload(to, texts[1] ?? ""),
    ];
    expect(await uploadAll(parlance)).toEqual([201, 413]);
    await using generous = await startTestServer({ DOCUMENTS_QUOTA_BYTES: "1000000" });
    expect(await uploadAll(generous)).toEqual([201, 201]);
  });
});

describe("what runs for a user at once", () => {
  const ATTEMPTS = 120;
  const endless = () =>
    new Response(new ReadableStream({ pull: (c) => c.enqueue(new Uint8Array(1)) }));

  /** @returns how many exports of one user are open at once. */
  async function openExports(maxPerUser: number): Promise<number> {
    const exports = limitExports({ maxPerUser, max: 1_000 });
    const asked = Array.from({ length: ATTEMPTS }, () =>
      exports.during("ann", async () => endless()),
    );
    const open = (await Promise.allSettled(asked)).filter(
      ({ status }) => status === "fulfilled",
    );
    return open.length;
  }

  test("exports: four; off: all that are asked for", async () => {
    expect(await openExports(4)).toBe(4);
    expect(await openExports(Infinity)).toBe(ATTEMPTS);
  });

  /** @returns how many of one user's tasks run or wait where 50 may wait. */
  async function tasksHeld(maxPerUser: number): Promise<number> {
    const queue = createFairQueue({
      size: 2,
      maxWaiting: 50,
      maxPerUser,
      maxWaitMs: 60_000,
      busy: () => new ApiError(503, "workers_busy", "full"),
      tooMany: () => new ApiError(429, "too_many_tasks", "too many"),
    });
    const enter = () => queue.enter("ann").catch(() => undefined);
    const many = Array.from({ length: ATTEMPTS }, enter);
    const { running, waiting } = queue.state();
    queue.close();
    await Promise.all(many);
    return running + waiting;
  }

  test("tasks of workers: eight; off: one user's fill the line", async () => {
    expect(await tasksHeld(8)).toBe(8);
    expect(await tasksHeld(Infinity)).toBe(51);
  });
});

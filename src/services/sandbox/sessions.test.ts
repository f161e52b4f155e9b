import { expect, test, vi } from "vitest";
import { createSessions } from "./sessions.ts";
import type { SessionProcess } from "./session-process.ts";

const { signal } = new AbortController();
const HOUR_MS = 3_600_000;

/** Sessions whose processes only live and end. */
function someSessions({ size = 8, idleMs = HOUR_MS, startsAtOnce = 8 } = {}) {
  let started = 0;
  const live = new Set<number>();
  const start = async (): Promise<SessionProcess> => {
    const id = (started += 1);
    live.add(id);
    return {
      version: "test",
      get ended() {
        return !live.has(id);
      },
      exited: new Promise(() => {}),
      put: async () => {},
      run: async () => ({ output: [], left: [] }),
      end: async () => void live.delete(id),
    };
  };
  const sessions = createSessions({ start, size, startsAtOnce, idleMs });
  const use = (userId: string, conversation: string, work: () => Promise<unknown> = idle) =>
    sessions.use(owner(userId, conversation), signal, async (_, isNew) => {
      await work();
      return isNew;
    });
  return { sessions, use, live, started: () => started };
}

async function idle() {}

const owner = (userId: string, conversationId: string) =>
  ({ userId, conversationId, language: "python" }) as const;

test("a conversation keeps its session between calls", async () => {
  const { use, started } = someSessions();
  expect(await use("ada", "one")).toBe(true);
  expect(await use("ada", "one")).toBe(false);
  expect(started()).toBe(1);
});

/** Uses a session of Ada's as a caller whose call before ran in `previousSession`. */
function useAfter({ sessions }: ReturnType<typeof someSessions>, previousSession?: string) {
  const caller = { ...owner("ada", "one"), previousSession };
  return sessions.use(caller, signal, async ({ id }, isNew) => ({ id, isNew }));
}

test("a session that is older than that of the call before is not used again", async () => {
  const some = someSessions();
  const first = await useAfter(some);
  expect(await useAfter(some, first.id)).toEqual({ id: first.id, isNew: false });
  // the call before ran in another process
  const elsewhere = crypto.randomUUID();
  const second = await useAfter(some, elsewhere);
  expect(second.isNew).toBe(true);
  expect(second.id).not.toBe(first.id);
  expect(some.live.size).toBe(1);
  expect(await useAfter(some, second.id)).toEqual({ id: second.id, isNew: false });
});

test("calls at once after a lost session share a new one, and each is informed", async () => {
  const some = someSessions();
  const lost = crypto.randomUUID();
  const [one, other] = await Promise.all([useAfter(some, lost), useAfter(some, lost)]);
  expect(one.isNew && other.isNew).toBe(true);
  expect(other.id).toBe(one.id);
  expect(some.started()).toBe(1);
});

test("calls of one session run one after the other", async () => {
  const { use } = someSessions();
  const order: string[] = [];
  const gate = Promise.withResolvers<void>();
  const first = use("ada", "one", async () => {
    await gate.promise;
    order.push("first");
  });
  const second = use("ada", "one", async () => void order.push("second"));
  gate.resolve();
  await Promise.all([first, second]);
  expect(order).toEqual(["first", "second"]);
});

test("the third session of a user ends the one that was used longest ago", async () => {
  const { use, live } = someSessions();
  await use("ada", "one");
  await use("ada", "two");
  await use("ada", "one");
  await use("ada", "three");
  expect(live.size).toBe(2);
  expect(await use("ada", "one")).toBe(false);
  expect(await use("ada", "two")).toBe(true);
});

test("a user whose two sessions are busy has to wait, and others have not", async () => {
  const { use } = someSessions();
  const gate = Promise.withResolvers<void>();
  const busy = ["one", "two"].map((one) => use("ada", one, () => gate.promise));
  await expect(use("ada", "three")).rejects.toMatchObject({
    code: "too_many_code_sessions",
  });
  expect(await use("eve", "three")).toBe(true);
  gate.resolve();
  await Promise.all(busy);
});

test("there are never more sessions than places, and idle ones make room", async () => {
  const { use, live } = someSessions({ size: 3 });
  for (let user = 0; user < 50; user += 1) {
    await use(`user ${user}`, "theirs");
    expect(live.size).toBeLessThanOrEqual(3);
  }
  const gate = Promise.withResolvers<void>();
  const held = use("ada", "held", () => gate.promise);
  for (let user = 0; user < 10; user += 1) await use(`other ${user}`, "theirs");
  expect(live.size).toBeLessThanOrEqual(3);
  gate.resolve();
  await held;
  expect(await use("ada", "held")).toBe(false);
});

test("an idle session ends by itself", async () => {
  const { use, live, sessions } = someSessions({ idleMs: 20 });
  await use("ada", "one");
  await vi.waitUntil(() => live.size === 0);
  expect(sessions.state().sessions).toBe(0);
  expect(await use("ada", "one")).toBe(true);
});

test("a session that does not start fails its call alone", async () => {
  let fails = true;
  const sessions = createSessions({
    start: async () => {
      if (fails) throw new Error("no interpreter");
      return { ended: false, end: async () => {} } as unknown as SessionProcess;
    },
    size: 2,
    startsAtOnce: 2,
    idleMs: HOUR_MS,
  });
  const call = () => sessions.use(owner("ada", "one"), signal, async (_, isNew) => isNew);
  await expect(call()).rejects.toThrow("no interpreter");
  expect(sessions.state()).toEqual({ sessions: 0, running: 0, waiting: 0 });
  fails = false;
  expect(await call()).toBe(true);
});

test("each language of a conversation has its own session, and they count as two", async () => {
  const { sessions, started, use } = someSessions({ size: 4 });
  await use("ada", "one");
  const other = { ...owner("ada", "one"), language: "javascript" } as const;
  expect(await sessions.use(other, signal, async (_, isNew) => isNew)).toBe(true);
  expect(await use("ada", "one")).toBe(false);
  expect(started()).toBe(2);
  await use("ada", "other");
  expect(sessions.state().sessions).toBe(2);
});

/** Sessions whose interpreters start when the test says so. */
function slowSessions({ startsAtOnce }: { startsAtOnce: number }) {
  const starting: PromiseWithResolvers<SessionProcess>[] = [];
  const sessions = createSessions({
    start: () => {
      const one = Promise.withResolvers<SessionProcess>();
      starting.push(one);
      return one.promise;
    },
    size: 8,
    startsAtOnce,
    idleMs: HOUR_MS,
  });
  const order: string[] = [];
  const use = (userId: string, conversation: string, by = signal) =>
    sessions.use(owner(userId, conversation), by, async () => {
      order.push(`${userId} ${conversation}`);
    });
  const finishNext = () =>
    starting
      .shift()
      ?.resolve({ ended: false, end: async () => {} } as unknown as SessionProcess);
  const isStarting = (count: number) => vi.waitUntil(() => starting.length === count);
  return { sessions, starting, order, use, finishNext, isStarting };
}

test("interpreters start a few at once, and users take turns in it", async () => {
  const { use, finishNext, isStarting, order, starting } = slowSessions({
    startsAtOnce: 2,
  });
  const calls = [
    use("ada", "one"),
    use("ada", "two"),
    use("eve", "one"),
    use("bob", "one"),
  ];
  await isStarting(2);
  // the second of a user does not take the place of another user
  finishNext();
  await vi.waitUntil(() => order.length === 1);
  await isStarting(2);
  for (let left = 3; left > 0; left -= 1) {
    finishNext();
    await vi.waitUntil(() => order.length === 5 - left);
    expect(starting.length).toBeLessThanOrEqual(2);
  }
  await Promise.all(calls);
  expect(order).toEqual(["ada one", "eve one", "bob one", "ada two"]);
});

test("a call that ends while its interpreter waits to start starts none", async () => {
  const { use, finishNext, isStarting, starting, sessions } = slowSessions({
    startsAtOnce: 1,
  });
  const first = use("ada", "one");
  await isStarting(1);
  const leaving = new AbortController();
  const left = use("eve", "one", leaving.signal);
  const stays = use("bob", "one");
  leaving.abort();
  await expect(left).rejects.toMatchObject({ code: "request_cancelled" });
  finishNext();
  await first;
  await isStarting(1);
  finishNext();
  await stays;
  expect(starting).toEqual([]);
  expect(sessions.state()).toEqual({ sessions: 2, running: 0, waiting: 0 });
});

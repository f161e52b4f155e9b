import { randomBytes } from "node:crypto";
import sql from "sql-template-tag";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { coreDatabase } from "../../../../test/support/core-database.ts";
import { BadRequest } from "../../../platform/http/errors.ts";
import { silentLog } from "../../../platform/telemetry/log.ts";
import { notifyTasks } from "./notify-tasks.ts";
import {
  hasReceivers,
  MAX_PER_TASK,
  MAX_PER_USER,
  purgeReceivers,
  RECEIVERS_ADDED,
  saveReceiver,
} from "./receivers-store.ts";

let db: Awaited<ReturnType<typeof coreDatabase>>;
beforeAll(async () => {
  db = await coreDatabase();
});
afterAll(() => db[Symbol.asyncDispose]());
beforeEach(async () => {
  await db.query(sql`delete from core.conversations`);
});

const encryptionKey = randomBytes(32).toString("base64");

/** A task of a user. @returns its id. */
async function aTask(
  userId: string,
  { status = "complete", run = 1 } = {},
): Promise<string> {
  const [conversation, id] = [crypto.randomUUID(), crypto.randomUUID()];
  await db.query(sql`insert into core.conversations (id, user_id, client_id, title)
    values (${conversation}, ${userId}, 'default', '')`);
  await db.query(sql`insert into core.messages (id, conversation_id, role, content, status, run, asked_by)
    values (${id}, ${conversation}, 'assistant', 'Done.', ${status}, ${run}, ${userId})`);
  return id;
}

const receive = (
  userId: string,
  messageId: string,
  id = "r",
  url = "https://r.example/",
) => {
  const receiver = { id, url, scheme: "Bearer", secrets: { token: "t", credentials: "c" } };
  return saveReceiver({ db, encryptionKey }, { userId, messageId }, receiver, "1.0");
};

/** Tells whoever is due. @returns the requests. */
async function tell(
  answer: (url: string) => Response | Error | Promise<Response> = () => new Response(),
) {
  const asked: { url: string; headers: Headers; body: unknown }[] = [];
  const fetch: typeof globalThis.fetch = async (url, init) => {
    asked.push({
      url: String(url),
      headers: new Headers(init?.headers),
      body: JSON.parse(String(init?.body)),
    });
    const given = answer(String(url));
    if (given instanceof Error) throw given;
    return given;
  };
  const deps = { db, encryptionKey, outgoing: { fetch }, log: silentLog() };
  await notifyTasks(deps, AbortSignal.timeout(60_000));
  return asked;
}
const isDue = () => db.query(sql`update core.task_receivers set next_at = now()`);
const kept = async () =>
  db.query<{ tries: number; run: number }>(
    sql`select tries, notified_run as run from core.task_receivers order by id`,
  );

test("a receiver gets the end once, with what it asked for, and is forgotten", async () => {
  const running = await aTask("ann", { status: "streaming" });
  await receive("ann", running);
  expect(await tell()).toEqual([]);
  await db.query(sql`update core.messages set status = 'complete' where id = ${running}`);
  const [told, ...more] = await tell();
  expect(more).toEqual([]);
  expect(told?.body).toMatchObject({
    task: {
      id: running,
      status: { state: "TASK_STATE_COMPLETED" },
      artifacts: [{ parts: [{ text: "Done." }] }],
    },
  });
  expect(told?.headers.get("authorization")).toBe("Bearer c");
  expect(told?.headers.get("x-a2a-notification-token")).toBe("t");
  expect(await kept()).toEqual([]);
});

test("a new receiver is announced, and a server without any knows that", async () => {
  const added = vi.fn();
  await using _ = await db.listen(RECEIVERS_ADDED, added);
  expect(await hasReceivers(db)).toBe(false);
  await receive("ann", await aTask("ann"));
  await vi.waitFor(() => expect(added).toHaveBeenCalledTimes(1), 90_000);
  expect(await hasReceivers(db)).toBe(true);
});

test("a receiver learns that a task waits for a decision, and of its end after it", async () => {
  const id = await aTask("ann");
  await db.query(sql`update core.messages set finish_reason = 'approval',
    waiting = '[{"toolCallId": "1", "name": "erase", "arguments": {}}]' where id = ${id}`);
  await receive("ann", id);
  expect(await tell()).toMatchObject([
    { body: { task: { status: { state: "TASK_STATE_INPUT_REQUIRED" } } } },
  ]);
  expect(await tell()).toEqual([]);
  await db.query(sql`update core.messages set run = 2, finish_reason = 'stop', waiting = '[]'
    where id = ${id}`);
  expect(await tell()).toMatchObject([
    { body: { task: { status: { state: "TASK_STATE_COMPLETED" } } } },
  ]);
  expect(await kept()).toEqual([]);
});

test.each([
  ["500", () => new Response("no", { status: 500 })],
  [
    "a redirect",
    () => new Response(null, { status: 307, headers: { location: "http://10.0.0.1/" } }),
  ],
  ["no connection", () => new TypeError("fetch failed")],
])(
  "who answers %s is asked five times, with waits, and then no more",
  async (_, answer) => {
    await receive("ann", await aTask("ann"));
    for (let tries = 1; tries < 5; tries += 1) {
      expect(await tell(answer)).toHaveLength(1);
      expect(await tell(answer)).toEqual([]); // it waits
      expect(await kept()).toMatchObject([{ tries }]);
      await isDue();
    }
    expect(await tell(answer)).toHaveLength(1);
    expect(await kept()).toEqual([]);
  },
);

test("an address that is not allowed is asked once", async () => {
  await receive("ann", await aTask("ann"));
  await tell(() => new BadRequest("address_not_allowed", "It is private."));
  expect(await kept()).toEqual([]);
});

test("receivers of one user that hang do not keep those of others waiting", async () => {
  for (let n = 0; n < 30; n += 1)
    await receive("ann", await aTask("ann"), "r", "https://slow.example/");
  let end = () => {};
  const hangs = new Promise<Response>(
    (_, reject) => (end = () => reject(new Error("late"))),
  );
  const seen: string[] = [];
  const telling = tell((url) => {
    seen.push(url);
    return url.includes("slow") ? hangs : new Response();
  });
  await expect.poll(() => seen).toHaveLength(4);
  await receive("ben", await aTask("ben"), "r", "https://ben.example/");
  await expect.poll(() => seen).toContain("https://ben.example/");
  expect(seen).toHaveLength(5);
  await db.query(sql`update core.task_receivers set next_at = now() + interval '1 hour'`);
  end();
  await telling;
});

test("a task and a user have a limit, and the same id is the same receiver", async () => {
  const task = await aTask("ann", { status: "streaming" });
  for (let n = 0; n < MAX_PER_TASK; n += 1)
    expect(await receive("ann", task, `r${n}`)).toBe(true);
  expect(await receive("ann", task, "one more")).toBe(false);
  expect(await receive("ann", task, "r0")).toBe(true);
  for (let n = MAX_PER_TASK; n < MAX_PER_USER; n += 1)
    await receive("ann", await aTask("ann", { status: "streaming" }));
  expect(await receive("ann", await aTask("ann"))).toBe(false);
  expect(await receive("ben", await aTask("ben"))).toBe(true);
});

test("nobody hears of a conversation in the trash, nor is kept for longer than days", async () => {
  await receive("ann", await aTask("ann"));
  await db.query(sql`update core.conversations set deleted_at = now()`);
  expect(await tell()).toEqual([]);
  await purgeReceivers(db);
  expect(await kept()).toHaveLength(1);
  await db.query(
    sql`update core.task_receivers set created_at = now() - interval '8 days'`,
  );
  await purgeReceivers(db);
  expect(await kept()).toEqual([]);
});

test("secrets are stored encrypted, and one that cannot be read stops no others", async () => {
  await receive("ann", await aTask("ann"));
  const [{ secrets = "" } = {}] = await db.query<{ secrets: string }>(
    sql`select secrets from core.task_receivers`,
  );
  expect(secrets).toMatch(/^v1:/);
  await db.query(sql`update core.task_receivers set secrets = 'broken'`);
  await receive("ben", await aTask("ben"), "r", "https://ben.example/");
  expect((await tell()).map(({ url }) => url)).toEqual(["https://ben.example/"]);
});

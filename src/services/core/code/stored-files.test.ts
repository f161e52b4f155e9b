import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sql from "sql-template-tag";
import { afterAll, beforeAll, expect, test } from "vitest";
import { coreDatabase } from "../../../../test/support/core-database.ts";
import type { Database } from "../../../platform/db/database.ts";
import { diskFiles } from "../../../platform/files/disk-files.ts";
import type { Files } from "../../../platform/files/files.ts";
import { purgeConversationsOf } from "../conversations/trash.ts";
import { listFolder } from "./folder.ts";
import {
  deleteFile,
  findFile,
  keepFiles,
  listNewest,
  releaseKeys,
  removeFiles,
  reserveKeys,
} from "./stored-files.ts";

const MAX_BYTES = 10_000;
let db: Database;
let files: Files;
let folder: string;
beforeAll(async () => {
  db = await coreDatabase();
  folder = await mkdtemp(join(tmpdir(), "code-files-"));
  files = diskFiles(folder);
});
afterAll(async () => {
  await db[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

async function aConversation(userId: string): Promise<string> {
  const id = crypto.randomUUID();
  await db.query(sql`insert into core.conversations (id, user_id, client_id, title)
    values (${id}, ${userId}, 'default', 'Title')`);
  return id;
}

/** What a call wrote, in the storage. */
async function written(prefix: string, names: readonly string[], size = 4) {
  return Promise.all(
    names.map(async (name, at) => {
      const key = `${prefix}/${at}`;
      await files.write(key, bytesOf("x".repeat(4)), { maxBytes: 4 });
      return { name, key, size, sha256: `of ${key}`, mediaType: "text/plain" };
    }),
  );
}

async function* bytesOf(text: string) {
  yield Buffer.from(text);
}

async function keep(conversationId: string, names: readonly string[], size?: number) {
  const prefix = await reserveKeys(db);
  const made = await written(prefix, names, size);
  return keepFiles(db, { conversationId, prefix, maxBytes: MAX_BYTES }, made);
}

const keysInStorage = async () => (await Array.fromAsync(files.list())).toSorted();
const removeAll = async () => {
  while ((await removeFiles(db, files)) > 0);
};

test("a session gets the newest file of each name, and older ones can still be opened", async () => {
  const conversationId = await aConversation("newest");
  const [older] = await keep(conversationId, ["a.txt", "b.txt"]);
  const [newer] = await keep(conversationId, ["a.txt"]);
  const newest = await listNewest(db, conversationId);
  expect(newest.map(({ name }) => name)).toEqual(["a.txt", "b.txt"]);
  expect(newest[0]?.id).toBe(newer?.id);
  expect(await findFile(db, older?.id ?? "")).toMatchObject({
    name: "a.txt",
    conversationId,
  });
});

test("a file is deleted with the earlier ones of its name, and newer ones stay", async () => {
  const conversationId = await aConversation("deletes");
  const [first] = await keep(conversationId, ["a.txt", "b.txt"]);
  const [second] = await keep(conversationId, ["a.txt"]);
  const [third] = await keep(conversationId, ["a.txt"]);
  expect(await deleteFile(db, { conversationId, fileId: second?.id ?? "" })).toBe(true);
  const left = await listNewest(db, conversationId);
  expect(left.map(({ id, name }) => [id, name])).toMatchObject([
    [third?.id, "a.txt"],
    [expect.anything(), "b.txt"],
  ]);
  expect(await findFile(db, first?.id ?? "")).toBeUndefined();
});

test("the bytes of a deleted conversation's files are deleted, and no others", async () => {
  await removeAll();
  const kept = await keep(await aConversation("stays"), ["stays.txt"]);
  const before = await keysInStorage();
  await keep(await aConversation("goes"), ["one.txt", "two.txt"]);
  await purgeConversationsOf(db, "goes");
  await removeAll();
  expect(await keysInStorage()).toEqual(before);
  expect(before).toContain(kept[0]?.storageKey);
});

test("nothing stays of a call that failed or whose process died", async () => {
  await removeAll();
  const before = await keysInStorage();
  const failed = await reserveKeys(db);
  await written(failed, ["a", "b"]);
  await releaseKeys(db, failed);
  const died = await reserveKeys(db);
  await written(died, ["c"]);
  await removeAll();
  expect(await keysInStorage()).toEqual([...before, `${died}/0`].toSorted());
  await db.query(sql`update core.file_removals set due_at = due_at - interval '1 day'`);
  await removeAll();
  expect(await keysInStorage()).toEqual(before);
});

test("files of all conversations of a user have a limit, and those of others do not count", async () => {
  const [one, two] = [await aConversation("full"), await aConversation("full")];
  await keep(one, ["a"], MAX_BYTES - 10);
  await expect(keep(two, ["b"], 11)).rejects.toMatchObject({ code: "code_files_quota" });
  expect(await listNewest(db, two)).toEqual([]);
  expect(await keep(await aConversation("other"), ["b"], 11)).toHaveLength(1);
  expect(await keep(two, ["b"], 10)).toHaveLength(1);
});

test("a conversation keeps its newest two hundred files", async () => {
  const conversationId = await aConversation("many");
  const names = Array.from({ length: 50 }, (_, n) => `f${n}`);
  const [first] = await keep(conversationId, names);
  for (let call = 0; call < 4; call += 1) await keep(conversationId, names);
  const [{ count } = { count: 0 }] = await db.query<{
    count: number;
  }>(sql`select count(*)::int
    as count from core.conversation_files where conversation_id = ${conversationId}`);
  expect(count).toBe(200);
  expect(await findFile(db, first?.id ?? "")).toBeUndefined();
});

test("code whose conversation is deleted while it runs leaves nothing", async () => {
  await removeAll();
  const before = await keysInStorage();
  expect(await keep(crypto.randomUUID(), ["late.txt"])).toEqual([]);
  await removeAll();
  expect(await keysInStorage()).toEqual(before);
});

/** As where the clock of the database counts in milliseconds. */
const inOneMoment = (conversationId: string) =>
  db.query(sql`update core.conversation_files set created_at = '2026-01-01'
    where conversation_id = ${conversationId}`);

test("of files of one name written in one moment the last counts", async () => {
  const conversationId = await aConversation("fast");
  const made: string[] = [];
  for (let call = 0; call < 12; call += 1) {
    const [file] = await keep(conversationId, ["a.txt"]);
    made.push(file?.id ?? "");
  }
  await inOneMoment(conversationId);
  expect(await listNewest(db, conversationId)).toMatchObject([{ id: made.at(-1) }]);
  // the second is deleted with the first, and no later one
  expect(await deleteFile(db, { conversationId, fileId: made[1] ?? "" })).toBe(true);
  const left = await Promise.all(made.map((id) => findFile(db, id)));
  expect(left.flatMap((file) => file?.id ?? [])).toEqual(made.slice(2));
});

test("the newest two hundred files are those that were written last, also in one moment", async () => {
  const conversationId = await aConversation("many at once");
  const names = Array.from({ length: 50 }, (_, n) => `f${n}`);
  for (let call = 0; call < 4; call += 1) await keep(conversationId, names);
  // what follows has the time of the others
  await db.tx(async () => {
    await db.query(sql`update core.conversation_files set created_at = now()
      where conversation_id = ${conversationId}`);
    const last = await keep(conversationId, names);
    const kept = await Promise.all(last.map(({ id }) => findFile(db, id)));
    expect(kept.filter((file) => file === undefined)).toEqual([]);
  });
});

test("of attached files of one name the first of a message has it", async () => {
  const conversationId = await aConversation("attaches");
  const message = crypto.randomUUID();
  await db.query(sql`insert into core.messages (id, conversation_id, role, status)
    values (${message}, ${conversationId}, 'user', 'complete')`);
  const ids = Array.from({ length: 12 }, () => crypto.randomUUID());
  await db.query(sql`insert into core.message_files
      (message_id, file_id, position, file_name, mime_type, size)
    select ${message}, id, position, 'a.csv', 'text/csv', 1
    from unnest(${ids}::uuid[]) with ordinality as f (id, position) order by id`);
  const describeDocuments = async (_: string, found: readonly string[]) =>
    found.map(
      (id) => ({ id, fileName: "a.csv", size: 1, sha256: id, createdAt: "" }) as never,
    );
  const listed = await listFolder({ db, describeDocuments }, "attaches", conversationId);
  expect(listed.map(({ id }) => id)).toEqual(ids);
  expect(listed.slice(0, 2).map(({ name }) => name)).toEqual(["a.csv", "2 a.csv"]);
});

import sql from "sql-template-tag";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { coreDatabase } from "../../../../test/support/core-database.ts";
import type { Database } from "../../../platform/db/database.ts";
import { documentsContract } from "../../documents/contract.ts";
import { deleteReleased, deleteUnsent } from "./delete-attachments.ts";
import { purgeConversationsOf } from "./trash.ts";

let db: Database;
beforeAll(async () => {
  db = await coreDatabase();
});
afterAll(() => db[Symbol.asyncDispose]());

/** What the documents service was asked to delete, and its old attachments. */
let deleted: string[] = [];
let unsent: string[] = [];
let isDown = false;
beforeEach(async () => {
  [deleted, unsent, isDown] = [[], [], false];
  await db.query(sql`delete from core.released_files`);
});
const documents = async (request: Request) => {
  if (isDown) return Response.json({ code: "down", message: "Down." }, { status: 503 });
  const url = new URL(request.url);
  if (url.pathname === documentsContract.deleteAttachments.path) {
    deleted.push(...((await request.json()) as { ids: string[] }).ids);
    return new Response(null, { status: 204 });
  }
  const after = url.searchParams.get("after") ?? "";
  return Response.json({ ids: unsent.filter((id) => id > after).slice(0, 2) });
};
const deps = () => ({ db, documents });
const { signal } = new AbortController();

async function aMessageWith(userId: string, files: readonly string[]) {
  const [conversation, message] = [crypto.randomUUID(), crypto.randomUUID()];
  await db.query(sql`insert into core.conversations (id, user_id, client_id, title)
    values (${conversation}, ${userId}, 'default', 'Title')`);
  await db.query(sql`insert into core.messages (id, conversation_id, role, status)
    values (${message}, ${conversation}, 'user', 'complete')`);
  await db.query(sql`insert into core.message_files
      (message_id, file_id, position, file_name, mime_type, size)
    select ${message}, id, 0, 'a.png', 'image/png', 1 from unnest(${[...files]}::uuid[]) as f (id)`);
}

test("files of deleted messages are deleted, but not those that another message has", async () => {
  const [own, shared] = [crypto.randomUUID(), crypto.randomUUID()];
  await aMessageWith("ada", [own, shared]);
  await aMessageWith("bob", [shared]);
  await deleteReleased(deps(), signal);
  expect(deleted).toEqual([]);
  await purgeConversationsOf(db, "ada");
  await deleteReleased(deps(), signal);
  expect(deleted).toEqual([own]);
  await purgeConversationsOf(db, "bob");
  await deleteReleased(deps(), signal);
  expect(deleted).toEqual([own, shared]);
});

test("what the documents service could not delete is deleted later", async () => {
  const file = crypto.randomUUID();
  await aMessageWith("ada", [file]);
  await purgeConversationsOf(db, "ada");
  isDown = true;
  await expect(deleteReleased(deps(), signal)).rejects.toThrow();
  isDown = false;
  await deleteReleased(deps(), signal);
  expect(deleted).toEqual([file]);
});

test("old attachments that no message has are deleted, page by page", async () => {
  const files = Array.from({ length: 5 }, () => crypto.randomUUID()).toSorted();
  const [sent, ...others] = files;
  if (!sent) throw new Error("There is one.");
  unsent = files;
  await aMessageWith("ada", [sent]);
  await deleteUnsent(deps(), signal);
  expect(deleted).toEqual(others);
});

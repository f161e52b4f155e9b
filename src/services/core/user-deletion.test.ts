import sql from "sql-template-tag";
import { afterAll, beforeAll, expect, test } from "vitest";
import { coreDatabase } from "../../../test/support/core-database.ts";
import type { Database } from "../../platform/db/database.ts";
import { personalData } from "./user-deletion.ts";

let db: Database;
beforeAll(async () => {
  db = await coreDatabase();
});
afterAll(() => db[Symbol.asyncDispose]());

async function aConversation(userId: string, ...contents: string[]): Promise<string> {
  const id = crypto.randomUUID();
  await db.query(sql`insert into core.conversations (id, user_id, client_id, title)
    values (${id}, ${userId}, 'default', 'Title')`);
  for (const content of contents)
    await db.query(sql`insert into core.messages (id, conversation_id, role, status, content)
      values (${crypto.randomUUID()}, ${id}, 'user', 'complete', ${content})`);
  return id;
}

async function aCanvas(userId: string, ...versions: string[]): Promise<string> {
  const id = crypto.randomUUID();
  const conversationId = await aConversation(userId);
  await db.query(sql`insert into core.canvases (id, user_id, client_id, conversation_id, title, type, version)
    values (${id}, ${userId}, 'default', ${conversationId}, 'Title', 'markdown', ${versions.length})`);
  for (const [at, content] of versions.entries())
    await db.query(sql`insert into core.canvas_versions (canvas_id, version, content, created_by)
      values (${id}, ${at + 1}, ${content}, 'user')`);
  return id;
}

async function allPages(userId: string) {
  const pages: Awaited<ReturnType<typeof personalData>>["records"][] = [];
  let after: string | undefined;
  do {
    const { records, next } = await personalData(db, userId, after);
    pages.push(records);
    after = next ?? undefined;
  } while (after !== undefined);
  return pages;
}

test("everything of a user comes once, and nothing of another user", async () => {
  const own = await Promise.all(
    Array.from({ length: 45 }, (_, at) => aConversation("anna", `message ${at}`)),
  );
  const canvas = await aCanvas("anna", ...Array.from({ length: 25 }, (_, at) => `v${at}`));
  await db.query(sql`insert into core.allowed_tools (user_id, server, name, fingerprint)
    values ('anna', 'files', 'read after write', 'f'), ('anna', 'files', 'write', 'f')`);
  await aConversation("bert", "not anna's");
  await aCanvas("bert", "not anna's");
  const records = (await allPages("anna")).flat();
  const idsOf = (kind: string) =>
    records.filter((record) => record.kind === kind).map(({ data }) => data["id"]);
  expect(idsOf("conversation")).toHaveLength(46);
  expect(idsOf("conversation")).toEqual(expect.arrayContaining(own));
  expect(new Set(idsOf("conversation")).size).toBe(46);
  expect(idsOf("canvas")).toEqual([canvas]);
  const versions = records.filter(({ kind }) => kind === "canvas-version");
  expect(versions.map(({ data }) => data["content"])).toEqual(
    Array.from({ length: 25 }, (_, at) => `v${at}`),
  );
  expect(records.filter(({ kind }) => kind === "allowed-tool")).toHaveLength(2);
  expect(JSON.stringify(records)).not.toContain("not anna's");
});

test("a page is not much longer than four megabytes, whatever its records are", async () => {
  const text = "x".repeat(1_000_000);
  for (let at = 0; at < 12; at += 1) await aConversation("carl", text);
  await aCanvas("carl", ...Array.from({ length: 12 }, () => text));
  const pages = await allPages("carl");
  for (const records of pages)
    expect(JSON.stringify(records).length).toBeLessThan(5.5 * 2 ** 20);
  const records = pages.flat();
  expect(records.filter(({ kind }) => kind === "conversation")).toHaveLength(13);
  expect(records.filter(({ kind }) => kind === "canvas-version")).toHaveLength(12);
});

test("a record that is longer than a page is a page of its own", async () => {
  const long = await aConversation("dora", "y".repeat(5_000_000));
  const other = await aConversation("dora", "short");
  const pages = (await allPages("dora")).filter(({ length }) => length > 0);
  const ids = pages.map((records) => records.map(({ data }) => data["id"]));
  expect(ids.flat().toSorted()).toEqual([long, other].toSorted());
});

test("a mark that names no kind ends the export", async () => {
  expect(await personalData(db, "anna", "nonsense")).toEqual({ records: [], next: null });
});

import sql from "sql-template-tag";
import { afterAll, beforeAll, expect, test } from "vitest";
import { uuidv7 } from "uuidv7";
import { noLabels } from "../../../../test/support/no-labels.ts";
import type { Database } from "../../../platform/db/database.ts";
import { migrate } from "../../../platform/db/migrate.ts";
import type { Fetch } from "../../../platform/http/call.ts";
import { ndjsonStream } from "../../../platform/http/stream.ts";
import { silentLog } from "../../../platform/telemetry/log.ts";
import { testDatabase } from "../../../platform/testing/database.ts";
import { CompletionRequest, type CompletionEvent } from "../../completion/contract.ts";
import { readBranch } from "../conversations/store.ts";
import { condenseHistory } from "./condense-history.ts";
import { historyOf } from "./history.ts";

let db: Database;
beforeAll(async () => {
  db = await testDatabase();
  await migrate(db, {
    schema: "core",
    folder: new URL("../migrations/", import.meta.url),
    log: silentLog(),
  });
});
afterAll(() => db[Symbol.asyncDispose]());

/** A thread of so many messages in turn, of about so many characters. @returns their ids. */
async function thread(length: number, characters = 80): Promise<string[]> {
  const conversation = uuidv7();
  await db.query(
    sql`insert into core.conversations (id, user_id) values (${conversation}, 'u')`,
  );
  const ids = Array.from({ length }, () => uuidv7());
  const rows = ids.map((id, n) => ({
    id,
    parent: ids[n - 1] ?? null,
    role: n % 2 ? "assistant" : "user",
    content: `message ${n} ${"x".repeat(characters)}`,
  }));
  await db.query(sql`insert into core.messages (id, conversation_id, parent_id, role, content, status)
    select id, ${conversation}, parent, role, content, 'complete'
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r (id uuid, parent uuid, role text, content text)`);
  return ids;
}

test("reads the newest turns that fit the context, in order", async () => {
  const ids = await thread(60);
  const history = await historyOf(db, ids.at(-1) ?? "", 500);
  expect(history.length).toBeLessThan(20);
  expect(history.at(-1)?.content).toContain("message 59 ");
  expect(history.map(({ content }) => Number(String(content).split(" ")[1]))).toEqual(
    history.map((_, index) => 60 - history.length + index),
  );
});

test("reads little more of long messages than the context has room for", async () => {
  const characters = 100_000;
  const ids = await thread(60, characters);
  let read = 0;
  const query: Database["query"] = async (statement, options) => {
    const rows = await db.query(statement, options);
    read += JSON.stringify(rows).length;
    return rows as never; // of the same statement
  };
  const contextWindow = 100_000;
  const history = await historyOf({ ...db, query }, ids.at(-1) ?? "", contextWindow);
  expect(history.length).toBe(2);
  expect(read).toBeLessThan(8 * characters);
});

/** A completion service that answers each request with these events. */
function completionOf(events: CompletionEvent[]): { fetch: Fetch; texts: string[] } {
  const texts: string[] = [];
  return {
    texts,
    async fetch(request) {
      const { messages } = CompletionRequest.parse(await request.json());
      texts.push(String(messages.at(-1)?.content));
      return ndjsonStream(
        (async function* () {
          yield events;
        })(),
      );
    },
  };
}

const usage = { inputTokens: 1, outputTokens: 1 };
const answerWith = (content: string): CompletionEvent[] => [
  { type: "message", content, toolCalls: [], finishReason: "stop", usage },
];

function condense(
  completion: Fetch,
  messageId: string,
  contextWindow: number,
  characters: number,
) {
  const toMake = {
    messageId,
    conversationId: "c",
    userId: "u",
    segment: 1,
    opening: [],
    plan: { model: "m", tools: [], approval: "never" as const, contextWindow },
    messages: [{ role: "user" as const, content: "x".repeat(characters) }],
  };
  return condenseHistory(
    { db, completion, labels: noLabels },
    toMake,
    [],
    new AbortController().signal,
  );
}

test("summarizes a long thread once, and later messages read the summary", async () => {
  const ids = await thread(2_000);
  const last = ids.at(-1) ?? "";
  const { fetch, texts } = completionOf(answerWith("SUMMARY"));
  await condense(fetch, last, 2_000, 8_000);
  await condense(fetch, last, 2_000, 8_000);
  expect(texts).toHaveLength(1);
  const branch = await readBranch(db, last, { maxMessages: 400, maxCharacters: 1e6 });
  expect(branch.length).toBeLessThan(40);
  const history = await historyOf(db, last, 2_000);
  expect(history[0]).toEqual({
    role: "system",
    content: "Summary of the conversation until here: SUMMARY",
  });
  expect(history.at(-1)?.content).toContain("message 1999 ");
  // the turns follow the summary without a gap
  const numbers = history
    .slice(1)
    .map(({ content }) => Number(String(content).split(" ")[1]));
  expect(texts[0]).toContain(`message ${(numbers[0] ?? 0) - 1} `);
});

test("does not summarize a short thread", async () => {
  const ids = await thread(6);
  const { fetch, texts } = completionOf(answerWith("SUMMARY"));
  await condense(fetch, ids.at(-1) ?? "", 32_000, 100_000);
  expect(texts).toEqual([]);
  expect(await historyOf(db, ids.at(-1) ?? "", 32_000)).toHaveLength(6);
});

test("a summary that fails reports the provider's error", async () => {
  const ids = await thread(2_000);
  const code = "provider_unavailable";
  const { fetch } = completionOf([
    { type: "error", error: "Busy.", code, retryable: true },
  ]);
  await expect(condense(fetch, ids.at(-1) ?? "", 2_000, 8_000)).rejects.toMatchObject({
    status: 503,
    code,
  });
});

import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { deliver } from "../../../platform/batches.ts";
import { memoryCache } from "../../../platform/cache/memory.ts";
import type { Database } from "../../../platform/db/database.ts";
import { silentLog } from "../../../platform/telemetry/log.ts";
import { beginReplyLog } from "./publish-reply.ts";
import { streamReply } from "./read-reply.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Reads a reply in progress for some seconds, of a conversation that is nobody's any more. */
async function readFor(ms: number, isOwner: boolean): Promise<string> {
  await using cache = memoryCache();
  const query = vi.fn(async () => []);
  const db = { query } as Partial<Database> as Database;
  const sharing = {} as Parameters<typeof streamReply>[0]["sharing"]; // asked after the database
  const user = { userId: "ann" } as Parameters<typeof streamReply>[1];
  await beginReplyLog(cache, "m", 1, silentLog()).append([
    { type: "text_delta", delta: "Hello" },
  ]);
  const reply = {
    id: "m",
    conversationId: "c",
    parentId: "p",
    status: "streaming",
    segment: 1,
  } as const;
  const left = new AbortController();
  const reading = { from: 0, signal: left.signal, isOwner };
  let text = "";
  const over = deliver(
    streamReply({ cache, db, sharing }, user, reply, reading),
    (batch) => {
      text += batch.join("");
    },
  );
  await vi.advanceTimersByTimeAsync(ms);
  left.abort();
  await over;
  return text;
}

test("whoever was just seen to own a conversation is not looked up again", async () => {
  const text = await readFor(2_000, true);
  expect(text).toContain("Hello");
  expect(text).not.toContain("conversation_not_found");
});

test("any other reader is, and gets no more once they may not read it", async () => {
  expect(await readFor(2_000, false)).toContain("conversation_not_found");
});

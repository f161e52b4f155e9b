import { expect, test } from "vitest";
import { memoryCache } from "../../../platform/cache/memory.ts";
import { silentLog } from "../../../platform/telemetry/log.ts";
import type { ConversationEvent } from "./contract.ts";
import { beginReplyLog } from "./publish-reply.ts";

const MINUTE_MS = 60_000;
const text: ConversationEvent = { type: "text_delta", delta: "word" };
const failure: ConversationEvent = { type: "error", error: "No.", code: "no" };
const done: ConversationEvent = {
  type: "done",
  messageId: "m",
  content: "word",
  finishReason: "stop",
  iterations: 1,
  usage: { inputTokens: 1, outputTokens: 1 },
};

test.each(["local", "apart"])(
  "a log is kept for a minute after its end (%s)",
  async (kind) => {
    await using cache = memoryCache();
    const ttls: number[] = [];
    const append = (_log: string, _items: string[], ttlMs: number) => {
      ttls.push(ttlMs);
      return true;
    };
    const { logs: _, ...others } = cache;
    const watched =
      kind === "local"
        ? { ...cache, logs: { append, read: () => [] } }
        : {
            ...others,
            append: async (...given: Parameters<typeof append>) => append(...given),
          };
    for (const last of [done, failure]) {
      ttls.length = 0;
      const log = beginReplyLog(watched, "m", 1, silentLog());
      await log.append([text]);
      await log.append([text, last]);
      // a tool may run for minutes between two events
      expect(ttls).toEqual([5 * MINUTE_MS, MINUTE_MS]);
    }
  },
);

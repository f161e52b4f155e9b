import { describe, expect, test } from "vitest";
import type { Cache } from "../../../platform/cache/cache.ts";
import { memoryCache } from "../../../platform/cache/memory.ts";
import type { Emit } from "../../../platform/batches.ts";
import { NotFound } from "../../../platform/http/errors.ts";
import { silentLog } from "../../../platform/telemetry/log.ts";
import { followReply } from "./follow-reply.ts";
import { beginReplyLog } from "./publish-reply.ts";

const DONE = {
  type: "done" as const,
  messageId: "m",
  content: "",
  finishReason: "stop" as const,
  iterations: 1,
  usage: { inputTokens: 1, outputTokens: 1 },
};

/** A reply's log and its reader, whose lines are read so far. */
function open(cache: Cache, { from = 0, checkAccess = async () => {} } = {}) {
  const log = beginReplyLog(cache, "m", 1, silentLog());
  const lines: string[] = [];
  const leaving = new AbortController();
  const follow = (emit: Emit<string[]> = (entries) => void lines.push(...entries)) =>
    followReply(
      cache,
      { messageId: "m", segment: 1, from, hasEnded: async () => false, checkAccess },
      leaving.signal,
      emit,
    );
  const say = (delta: string) => log.append([{ type: "text_delta", delta }]);
  return { log, lines, follow, say, leaving };
}

const textOf = (delta: string) => `event: text_delta\ndata: {"delta":"${delta}"}\n\n`;

describe.each([
  ["in this process", memoryCache],
  ["in another process", () => ({ ...memoryCache(), logs: undefined }) as unknown as Cache],
])("a log %s", (_, openCache) => {
  test("is read to its end, in its order, with the ids of its events", async () => {
    await using cache = openCache();
    const { log, lines, follow, say } = open(cache);
    const words = Array.from({ length: 200 }, (__, at) => `word${at}`);
    await say("word0");
    const whole = follow();
    for (const [at, word] of words.slice(1).entries()) {
      await say(word);
      // some are read one by one, others many at once
      if (at % 7 === 0) await new Promise(setImmediate);
    }
    await log.append([DONE]);
    expect(await whole).toBe(true);
    const texts = words.flatMap((word, at) => [`id: ${at}\n`, textOf(word)]);
    expect(lines.slice(0, -1)).toEqual([...texts, "id: 200\n"]);
    expect(lines.at(-1)).toMatch(/^event: done\n/);
  });

  test("ends with its last event, whatever a tool still appended behind it", async () => {
    await using cache = openCache();
    const { log, lines, follow, say } = open(cache);
    await say("one");
    await log.append([DONE]);
    await say("late");
    expect(await follow()).toBe(true);
    expect(lines.at(-1)).toMatch(/^event: done\n/);
    expect(lines.join("")).not.toContain("late");
  });

  test("is read on from an index", async () => {
    await using cache = openCache();
    const { log, lines, follow, say } = open(cache, { from: 1 });
    for (const word of ["one", "two"]) await say(word);
    const whole = follow();
    await log.append([DONE]);
    expect(await whole).toBe(true);
    expect(lines.slice(0, 2)).toEqual(["id: 1\n", textOf("two")]);
  });

  test("goes on while one of its readers is slow, who gets all of it later", async () => {
    await using cache = openCache();
    const { log, lines, follow, say } = open(cache);
    const isReady = Promise.withResolvers<void>();
    const taken: string[] = [];
    const slow = follow((entries) => {
      taken.push(...entries);
      return isReady.promise;
    });
    const quick = follow();
    await say("one");
    await expect.poll(() => taken).toHaveLength(2);
    for (const word of ["two", "three"]) await say(word);
    await log.append([DONE]);
    expect(await quick).toBe(true);
    expect(taken).toHaveLength(2);
    isReady.resolve();
    expect(await slow).toBe(true);
    expect(taken).toEqual(lines);
  });

  test("keeps a reader's failure from who appends and from other readers", async () => {
    await using cache = openCache();
    const { log, lines, follow, say } = open(cache);
    await say("zero");
    let taken = 0;
    const broken = follow(() => {
      taken += 1;
      if (taken > 1) throw new Error("broken");
    });
    const whole = follow();
    const failure = expect(broken).rejects.toThrow("broken");
    await new Promise(setImmediate);
    await say("one");
    await failure;
    await log.append([DONE]);
    expect(await whole).toBe(true);
    expect(lines).toContain(textOf("one"));
  });

  test("ends for a reader who may not read it any more", async () => {
    await using cache = openCache();
    const checkAccess = async () => {
      throw new NotFound("not_found", "It is gone.");
    };
    const { lines, follow, say } = open(cache, { checkAccess });
    await say("word");
    const whole = follow();
    const talking = setInterval(() => void say("word"), 5);
    expect(await whole).toBe(true);
    clearInterval(talking);
    expect(lines.at(-1)).toContain("not_found");
  });

  test("is left when the reader's signal aborts", async () => {
    await using cache = openCache();
    const { follow, say, leaving } = open(cache);
    const whole = follow();
    await say("one");
    leaving.abort();
    expect(await whole).toBe(false);
  });
});

import { describe, expect, test } from "vitest";
import { JsonLimitExceeded, parseJson } from "../../src/platform/json/json-limits.ts";
import type { Task } from "../../src/platform/workers/task.ts";
import { createWorkers } from "../../src/platform/workers/workers.ts";
import diffText from "../../src/services/core/diff-text.ts";
import { globMatches } from "../../src/services/automations/patterns.ts";

/**
 * Input that costs more than its size says: with the defence, and with it switched off. Counts
 * turns and steps, because times differ between machines.
 */
const DIFF: Task<typeof diffText> = {
  file: new URL("../../src/services/core/diff-text.ts", import.meta.url),
  timeoutMs: 30_000,
  advice: "Compare less.",
};

describe("work on a user's text", () => {
  // two texts without a common line: the work grows with their product
  const lines = (word: string) =>
    Array.from({ length: 1_500 }, (_, at) => `${word} ${at}`).join("\n");
  const texts = { before: lines("old"), after: lines("new"), by: "line" as const };

  /** @returns whether others had a turn of the event loop during the work. */
  async function othersHadTurns(work: () => unknown): Promise<boolean> {
    let turns = 0;
    let isOver = false;
    const count = () => {
      if (isOver) return;
      turns += 1;
      setImmediate(count);
    };
    setImmediate(count);
    await work();
    isOver = true;
    return turns > 0;
  }

  test("in a worker process lets others have their turns", async () => {
    await using workers = createWorkers({ size: 1 });
    expect(await othersHadTurns(() => workers.run(DIFF, texts))).toBe(true);
  });

  test("off: in the main process it holds them up", async () => {
    expect(await othersHadTurns(() => diffText(texts))).toBe(false);
  });

  test("ends with its budget; off: within a budget out of reach it goes on", async () => {
    await using workers = createWorkers({ size: 1 });
    const end = (timeoutMs: number) =>
      workers.run({ ...DIFF, timeoutMs }, texts).then(
        () => "done",
        (error: unknown) => (error as { code: string }).code, // an ApiError has one
      );
    expect(await end(1)).toBe("too_complex");
    expect(await end(60_000)).toBe("done");
  });
});

describe("JSON", () => {
  const many = `[${"{},".repeat(200_000)}{}]`;
  const deep = "[".repeat(5_000) + "]".repeat(5_000);

  test.each([
    ["many values", many],
    ["many levels", deep],
  ])("of %s is refused before it is parsed; off: without limits it is built", (_, text) => {
    expect(() => parseJson(text)).toThrow(JsonLimitExceeded);
    const limits = { maxValues: Infinity, maxDepth: Infinity };
    expect(Array.isArray(parseJson(text, limits))).toBe(true);
  });
});

describe("patterns of rules", () => {
  const TEXT_LENGTH = 24;
  const pattern = `${"*?".repeat(12)}!`;

  /** Text that counts how often a matcher reads one of its characters, by index or in turn. */
  function counted(text: string) {
    let reads = 0;
    function* inTurn() {
      for (const character of text) {
        reads += 1;
        yield character;
      }
    }
    const proxy = new Proxy(new String(text), {
      get(target, name) {
        if (name === Symbol.iterator) return inTurn;
        if (typeof name === "string" && /^\d+$/.test(name)) reads += 1;
        const value: unknown = Reflect.get(target, name, target);
        return value;
      },
    });
    return { text: proxy as unknown as string, reads: () => reads };
  }

  /** Matches by trying every length of each wildcard, as simple matchers do. */
  function matchesByTrying(glob: string, text: string, from = 0): boolean {
    if (glob === "") return from === text.length;
    const [atom, rest] = [glob[0], glob.slice(1)];
    if (atom === "*") {
      for (let to = from; to <= text.length; to += 1)
        if (matchesByTrying(rest, text, to)) return true;
      return false;
    }
    if (from >= text.length) return false;
    return (atom === "?" || text[from] === atom) && matchesByTrying(rest, text, from + 1);
  }

  test("read each character once; off: a matcher that tries reads them thousands of times", () => {
    const once = counted("a".repeat(TEXT_LENGTH));
    expect(globMatches(pattern, once.text)).toBe(false);
    expect(once.reads()).toBe(TEXT_LENGTH);
    const often = counted("a".repeat(TEXT_LENGTH));
    expect(matchesByTrying(pattern, often.text)).toBe(false);
    expect(often.reads()).toBeGreaterThan(1_000 * TEXT_LENGTH);
  });
});

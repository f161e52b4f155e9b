import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { silentLog } from "../../../platform/telemetry/log.ts";
import { createPartialSaver } from "./save-partials.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function aSaver() {
  const saved: { id: string; at: number }[] = [];
  const saver = createPartialSaver(
    {
      async savePartial(id) {
        saved.push({ id, at: Math.round(performance.now() - startedAt) });
      },
    },
    silentLog(),
  );
  const startedAt = performance.now();
  const saves = (id: string) => saved.flatMap((one) => (one.id === id ? [one.at] : []));
  return { saver, saves };
}

const text = (content: string) => ({ content, reasoning: "", title: undefined });

test("saves a reply each second for ten seconds, and every five seconds later", () => {
  const { saver, saves } = aSaver();
  const end = saver.begin("a", () => text("some"));
  vi.advanceTimersByTime(21_000);
  end();
  vi.advanceTimersByTime(10_000);
  const early = Array.from({ length: 10 }, (_, second) => (second + 1) * 1_000);
  expect(saves("a")).toEqual([...early, 15_000, 20_000]);
});

test("saves much new text of a long reply sooner", () => {
  const { saver, saves } = aSaver();
  let content = "";
  saver.begin("a", () => text(content));
  vi.advanceTimersByTime(11_000);
  content = "x".repeat(4_000);
  vi.advanceTimersByTime(1_000);
  expect(saves("a").slice(10)).toEqual([12_000]);
});

test("saves replies that began apart at the same moment, so that one statement stores them", () => {
  const { saver, saves } = aSaver();
  saver.begin("a", () => text("some"));
  vi.advanceTimersByTime(400);
  saver.begin("b", () => text("other"));
  vi.advanceTimersByTime(1_600);
  expect(saves("a")).toEqual([1_000, 2_000]);
  expect(saves("b")).toEqual([1_000, 2_000]);
});

test("goes on after a save that failed, and keeps no timer when no reply runs", async () => {
  let attempts = 0;
  const saver = createPartialSaver(
    {
      async savePartial() {
        attempts += 1;
        throw new Error("the database is away");
      },
    },
    silentLog(),
  );
  const end = saver.begin("a", () => text("some"));
  await vi.advanceTimersByTimeAsync(2_000);
  expect(attempts).toBe(2);
  end();
  expect(vi.getTimerCount()).toBe(0);
});

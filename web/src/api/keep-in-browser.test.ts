import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { keepInBrowser } from "./keep-in-browser.ts";

function useStorage(maxTexts: number): Map<string, string> {
  const kept = new Map<string, string>();
  vi.stubGlobal("localStorage", {
    setItem(key: string, text: string) {
      if (kept.size >= maxTexts) throw new DOMException("full", "QuotaExceededError");
      kept.set(key, text);
    },
    removeItem: (key: string) => kept.delete(key),
  });
  onTestFinished(() => void vi.unstubAllGlobals());
  return kept;
}

test("a text is kept, replaced and forgotten", () => {
  const kept = useStorage(10);
  keepInBrowser("a", "1");
  keepInBrowser("a", "2");
  expect([...kept]).toEqual([["a", "2"]]);
  keepInBrowser("a", undefined);
  expect([...kept]).toEqual([]);
});

test("where the storage is full the page goes on, and an older text is gone", () => {
  const kept = useStorage(1);
  kept.set("a", "1");
  keepInBrowser("a", "2");
  expect([...kept]).toEqual([]);
});

test("nothing else writes to the storage, but drafts, which make room in it", () => {
  const source = join(import.meta.dirname, "..");
  const writers = globSync("**/*.{ts,tsx}", { cwd: source })
    .filter((file) => !file.endsWith(".test.ts"))
    .filter((file) =>
      readFileSync(join(source, file), "utf8").includes("localStorage.setItem"),
    );
  expect(writers.toSorted()).toEqual(["api/keep-in-browser.ts", "shell/drafts.ts"]);
});

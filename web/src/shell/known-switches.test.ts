import { expect, onTestFinished, test, vi } from "vitest";
import { keepSwitches, knownSwitches } from "./known-switches.ts";

const ada = { toolsets: [{ name: "web", title: "Web", cannotSearch: false }], servers: [] };

function useStorage(
  setItem: (kept: Map<string, string>, key: string, value: string) => void,
) {
  const kept = new Map<string, string>();
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => setItem(kept, key, value),
    removeItem: (key: string) => kept.delete(key),
  });
  onTestFinished(() => void vi.unstubAllGlobals());
}

test("what is kept of one user is known of that user alone", () => {
  useStorage((kept, key, value) => kept.set(key, value));
  keepSwitches("ada", ada);
  expect(knownSwitches("ada")).toMatchObject(ada);
  expect(knownSwitches("bob")).toBeUndefined();
});

test("a browser whose storage is full keeps nothing, and the page goes on", () => {
  useStorage(() => {
    throw new DOMException("full", "QuotaExceededError");
  });
  keepSwitches("ada", ada);
  expect(knownSwitches("ada")).toBeUndefined();
});

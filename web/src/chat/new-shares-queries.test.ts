import { expect, test, vi } from "vitest";
import { markSharesRead, type NewShare, unreadSince } from "./new-shares-queries.ts";

const share = (at: string): NewShare => ({
  type: "document",
  id: at,
  title: "Title",
  role: "viewer",
  byName: null,
  at,
});

test.each([
  ["behind", 300_000],
  ["ahead of", -300_000],
])(
  "what is listed is marked as read, and nothing else, where the browser's clock is %s the server's",
  (_, ms) => {
    const kept = new Map<string, string>();
    vi.stubGlobal("localStorage", {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, text: string) => kept.set(key, text),
    });
    const at = (more: number) => new Date(Date.now() + ms + more).toISOString();
    const [older, newest, later] = [at(-60_000), at(0), at(1_000)];
    markSharesRead([share(newest), share(older)]);
    expect(unreadSince() > newest).toBe(true);
    expect(unreadSince() <= later).toBe(true);
    vi.unstubAllGlobals();
  },
);

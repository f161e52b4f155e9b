import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { silentLog } from "../telemetry/log.ts";
import { createRevocations, type Revocations } from "./revocations.ts";

type Page = Awaited<ReturnType<Parameters<typeof createRevocations>[0]["read"]>>;

const HOUR = 3_600_000;
const session = (id: string, expiresInMs = HOUR) => ({
  kind: "session" as const,
  id,
  revoked: true,
  expiresAt: new Date(Date.now() + expiresInMs).toISOString(),
});
const user = (id: string, revoked = true) => ({
  kind: "user" as const,
  id,
  revoked,
  expiresAt: null,
});
const pageOf = (entries: Page["entries"], more: Partial<Page> = {}): Page => ({
  entries,
  cursor: 1,
  isComplete: true,
  isRestart: false,
  ...more,
});

let pages: (Page | Error)[] = [];
let asked: number[] = [];
let copy: Revocations;
beforeEach(() => {
  vi.useFakeTimers();
  pages = [];
  asked = [];
  const read = async (after: number) => {
    asked.push(after);
    const page = pages.shift() ?? pageOf([], { cursor: after });
    if (page instanceof Error) throw page;
    return page;
  };
  copy = createRevocations({ read, log: silentLog() });
});
afterEach(async () => {
  await copy.close();
  vi.useRealTimers();
});

test("refuses every token until the first copy is loaded", async () => {
  expect(() => copy.check("ann")).toThrow(expect.objectContaining({ status: 503 }));
  await copy.refresh();
  expect(() => copy.check("ann", "s1")).not.toThrow();
});

test("ended sessions and revoked users are refused, and a user who is enabled again is not", async () => {
  pages = [pageOf([session("s1"), user("ann")], { isRestart: true })];
  await copy.refresh();
  expect(() => copy.check("bob", "s1")).toThrow(
    expect.objectContaining({ code: "token_revoked" }),
  );
  expect(() => copy.check("ann", "s2")).toThrow(
    expect.objectContaining({ code: "token_revoked" }),
  );
  expect(() => copy.check("bob", "s2")).not.toThrow();
  pages = [pageOf([user("ann", false)], { cursor: 2 })];
  await copy.refresh();
  expect(() => copy.check("ann", "s2")).not.toThrow();
});

test("each refresh reads all pages of new entries, from the end of the last refresh", async () => {
  pages = [
    pageOf([user("ann")], { isRestart: true, isComplete: false, cursor: 7 }),
    pageOf([user("bob")], { cursor: 9 }),
  ];
  await copy.refresh();
  pages = [pageOf([user("cleo")], { cursor: 10 })];
  await vi.advanceTimersByTimeAsync(600);
  expect(asked.slice(0, 3)).toEqual([0, 7, 9]);
  for (const name of ["ann", "bob", "cleo"]) expect(() => copy.check(name)).toThrow();
});

test("a copy that cannot be refreshed is trusted until its maximum age", async () => {
  await copy.refresh();
  pages = Array.from({ length: 1_000 }, () => new Error("away"));
  await vi.advanceTimersByTimeAsync(20_000);
  expect(() => copy.check("ann")).not.toThrow();
  await vi.advanceTimersByTimeAsync(11_000);
  expect(() => copy.check("ann")).toThrow(
    expect.objectContaining({ code: "revocations_unknown", status: 503 }),
  );
  await expect(copy.ping()).rejects.toThrow();
  pages = [];
  await copy.refresh();
  expect(() => copy.check("ann")).not.toThrow();
});

test("an interrupted restart keeps the old copy, and begins again", async () => {
  pages = [pageOf([user("ann")], { isRestart: true, cursor: 3 })];
  await copy.refresh();
  pages = [
    pageOf([user("bob")], { isRestart: true, isComplete: false, cursor: 1 }),
    new Error("away"),
  ];
  await copy.refresh();
  expect(() => copy.check("ann")).toThrow();
  expect(() => copy.check("bob")).not.toThrow();
  pages = [pageOf([user("bob")], { isRestart: true, cursor: 1 })];
  await copy.refresh();
  expect(asked.at(-1)).toBe(3);
  expect(() => copy.check("ann")).not.toThrow();
  expect(() => copy.check("bob")).toThrow();
});

test("a copy that is seldom read is read again soon after a failure", async () => {
  const read = vi.fn(async () => pageOf([]));
  read.mockRejectedValueOnce(new Error("down"));
  const seldom = createRevocations({ read, log: silentLog(), intervalMs: 15_000 });
  await seldom.refresh();
  await vi.advanceTimersByTimeAsync(15_000);
  expect(read).toHaveBeenCalledTimes(2);
  read.mockRejectedValueOnce(new Error("down"));
  await vi.advanceTimersByTimeAsync(15_000);
  expect(read).toHaveBeenCalledTimes(3);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(read).toHaveBeenCalledTimes(4);
  await seldom.close();
});

test("a refresh requested while one runs is followed by another", async () => {
  let release = () => {};
  const slow = createRevocations({
    log: silentLog(),
    read: async () => {
      asked.push(0);
      if (asked.length === 1) await new Promise<void>((resolve) => (release = resolve));
      return pageOf(asked.length > 1 ? [user("ann")] : []);
    },
  });
  const first = slow.refresh();
  const second = slow.refresh();
  release();
  await Promise.all([first, second]);
  expect(() => slow.check("ann")).toThrow();
  await slow.close();
});

test("a hundred thousand other entries evict nothing, and expired ones are forgotten", async () => {
  const many = Array.from({ length: 100_001 }, (_, index) => session(`s${index}`));
  pages = [pageOf([session("first"), ...many, user("ann")], { isRestart: true })];
  await copy.refresh();
  expect(() => copy.check("bob", "first")).toThrow();
  expect(() => copy.check("ann")).toThrow();
  vi.setSystemTime(Date.now() + 2 * HOUR);
  await copy.refresh();
  expect(() => copy.check("bob", "first")).not.toThrow();
  expect(() => copy.check("ann")).toThrow();
});

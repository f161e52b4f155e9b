import { expect, test } from "vitest";
import { BoundedEntries } from "./bounded-entries.ts";
import { memoryCache } from "./memory.ts";

const HOUR_MS = 3_600_000;

test("one origin that fills the entries loses its own, and no other does", () => {
  const entries = new BoundedEntries(100);
  for (let n = 0; n < 20; n += 1) entries.set(`of user ${n}`, "1", HOUR_MS, `user ${n}`);
  for (let n = 0; n < 10_000; n += 1) entries.set(`flood ${n}`, "1", HOUR_MS, "stranger");
  for (let n = 0; n < 20; n += 1) expect(entries.find(`of user ${n}`)).toBeDefined();
  expect(entries.find("flood 9999")).toBeDefined();
  expect(entries.find("flood 0")).toBeUndefined();
});

test("a new origin takes the place of one with many entries", () => {
  const entries = new BoundedEntries(100);
  for (let n = 0; n < 100; n += 1) entries.set(`flood ${n}`, "1", HOUR_MS, "stranger");
  for (let n = 0; n < 20; n += 1) entries.set(`of user ${n}`, "1", HOUR_MS, `user ${n}`);
  for (let n = 0; n < 20; n += 1) expect(entries.find(`of user ${n}`)).toBeDefined();
  expect(entries.find("flood 19")).toBeUndefined();
  expect(entries.find("flood 20")).toBeDefined();
});

test("entries of one kind take no place of another", async () => {
  await using cache = memoryCache();
  await cache.set("sign-in-familiar:ada", "1", HOUR_MS);
  for (let n = 0; n < 100_001; n += 1) await cache.set(`oidc:${n}`, "1", HOUR_MS);
  expect(await cache.get("sign-in-familiar:ada")).toBe("1");
  expect(await cache.get("oidc:0")).toBeNull();
  expect(await cache.get("oidc:100000")).toBe("1");
});

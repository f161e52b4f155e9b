import { expect, test } from "vitest";
import { memoryCache } from "../cache/memory.ts";
import { sealedCache } from "./sealed-cache.ts";
import { randomSecret } from "./secrets.ts";

const TTL_MS = 60_000;

test("an entry counts only if it was sealed here, under its own name", async () => {
  const cache = memoryCache();
  const sealed = sealedCache(cache, randomSecret());
  await sealed.set("code:one", { userId: "anna" }, TTL_MS);
  expect(await sealed.get("code:one")).toEqual({ userId: "anna" });
  expect(await sealed.get("code:none")).toBeNull();

  await cache.set("code:plain", JSON.stringify({ userId: "root" }), TTL_MS);
  await cache.set("code:copied", (await cache.get("code:one")) ?? "", TTL_MS);
  const foreign = sealedCache(cache, randomSecret());
  await foreign.set("code:foreign", { userId: "root" }, TTL_MS);
  for (const name of ["code:plain", "code:copied", "code:foreign"])
    expect(await sealed.get(name), name).toBeNull();
});

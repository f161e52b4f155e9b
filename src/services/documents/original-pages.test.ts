import { expect, test } from "vitest";
import { memoryCache } from "../../platform/cache/memory.ts";
import type { User } from "../../platform/http/caller.ts";
import { LIMIT, readOriginalPage } from "./original-pages.ts";

const { signal } = new AbortController();

test("one person opens no more pages than a reader turns, and another is not hindered", async () => {
  await using cache = memoryCache();
  const open = (userId: string) =>
    readOriginalPage(
      // nothing else is used before the document is looked for
      { cache, db: undefined, access: undefined, parser: undefined } as never,
      { userId } as User,
      { id: "one", page: 1 },
      signal,
    ).catch((error: unknown) => error);
  for (let at = 0; at < 240; at += 1)
    expect(await cache.take(LIMIT, "reader")).toMatchObject({ allowed: true });
  expect(await open("reader")).toMatchObject({ status: 429, code: "too_many_pages" });
  expect(await open("another")).not.toMatchObject({ status: 429 });
});

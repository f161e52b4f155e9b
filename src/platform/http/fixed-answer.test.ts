import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { fixedAnswer } from "./fixed-answer.ts";

const ask = (headers: Record<string, string> = {}) =>
  new Request("http://localhost/", { headers });

test("builds an answer once for any number of concurrent requests", async () => {
  let times = 0;
  const answer = fixedAnswer(async () => ({ body: `built ${(times += 1)}`, headers: {} }));
  const texts = await Promise.all(
    Array.from({ length: 20 }, async () => (await answer(ask())).text()),
  );
  expect(new Set(texts)).toEqual(new Set(["built 1"]));
});

test("answers 304 to a client that has the answer, and compresses it for one that accepts gzip", async () => {
  const body = "the same words ".repeat(1_000);
  const answer = fixedAnswer(async () => ({
    body,
    headers: { "content-type": "text/plain" },
  }));
  const plain = await answer(ask());
  expect(await plain.text()).toBe(body);
  const etag = plain.headers.get("etag") ?? "";
  const again = await answer(ask({ "if-none-match": `"other", ${etag}` }));
  expect([again.status, await again.text()]).toEqual([304, ""]);
  const packed = await answer(ask({ "accept-encoding": "br, gzip;q=0.8" }));
  expect(packed.headers.get("content-encoding")).toBe("gzip");
  expect(gunzipSync(await packed.arrayBuffer()).toString()).toBe(body);
  const refused = await answer(ask({ "accept-encoding": "gzip;q=0" }));
  expect(refused.headers.get("content-encoding")).toBeNull();
});

import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { BytesResponse } from "./lazy-response.ts";
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

test("answers 304 to a client that has the answer, and compresses it by br or gzip", async () => {
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
  const packed = await answer(ask({ "accept-encoding": "gzip" }));
  expect(packed.headers.get("content-encoding")).toBe("gzip");
  expect(gunzipSync(await packed.arrayBuffer()).toString()).toBe(body);
  const brotli = await answer(ask({ "accept-encoding": "br, gzip;q=0.8" }));
  expect(brotli.headers.get("content-encoding")).toBe("br");
  expect(brotliDecompressSync(await brotli.arrayBuffer()).toString()).toBe(body);
  const refused = await answer(ask({ "accept-encoding": "gzip;q=0" }));
  expect(refused.headers.get("content-encoding")).toBeNull();
});

test("all requests share the bytes, so that slow readers hold no copies", async () => {
  const answer = fixedAnswer(async () => ({ body: "the same words", headers: {} }));
  for (const headers of [{ "accept-encoding": "identity" }, { "accept-encoding": "br" }]) {
    const [first, second] = [await answer(ask(headers)), await answer(ask(headers))];
    if (!(first instanceof BytesResponse && second instanceof BytesResponse))
      throw new Error("the answers are no shared bytes");
    expect(second.shared).toBe(first.shared);
  }
});

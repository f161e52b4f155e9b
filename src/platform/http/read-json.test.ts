import { expect, test } from "vitest";
import { json } from "./respond.ts";
import { readJson } from "./read-json.ts";
import { held } from "../../../test/support/held.ts";

const endless = (text: string) => {
  let given = 0;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      given += text.length;
      controller.enqueue(new TextEncoder().encode(text));
    },
  });
  return { response: new Response(body), given: () => given };
};

test("reads the JSON of an answer, from this process or over HTTP", async () => {
  const value = { text: "é".repeat(1_000), list: [1, null, {}] };
  for (const response of [json(value), new Response(JSON.stringify(value))])
    expect(await readJson(response, { maxBytes: 10_000 })).toEqual(value);
});

test("reads no more of an endless answer than the limit", async () => {
  const long = endless(" ".repeat(1_000));
  await expect(readJson(long.response, { maxBytes: 50_000 })).rejects.toMatchObject({
    code: "json_too_large",
  });
  expect(long.given()).toBeLessThan(60_000);
  held("upstream-floods");
});

test("refuses an answer with too many values before parsing it", async () => {
  const many = endless("[1,[2,".repeat(100));
  const limits = { maxBytes: 1e9, maxValues: 1_000, maxDepth: 1e6 };
  await expect(readJson(many.response, limits)).rejects.toBeInstanceOf(SyntaxError);
  expect(many.given()).toBeLessThan(5_000);
  held("upstream-floods");
  await expect(readJson(json(Array(1_001).fill(0)), limits)).rejects.toMatchObject({
    code: "json_too_many_values",
  });
});

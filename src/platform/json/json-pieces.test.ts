import fc from "fast-check";
import { expect, test } from "vitest";
import { objectPieces, slices, streamPieces, stringPieces } from "./json-pieces.ts";

test("pieces make the JSON of their value, wherever a text is divided", async () => {
  const long = fc
    .tuple(fc.string({ unit: "binary" }), fc.nat(200_000))
    .map(([text, length]) => `${"é\u{1F600}".repeat(length / 3)}${text}`);
  await fc.assert(
    fc.asyncProperty(long, fc.option(fc.jsonValue(), { nil: undefined }), check),
    { numRuns: 50 },
  );
});

async function check(text: string, other: unknown): Promise<void> {
  const json = other === undefined ? undefined : JSON.stringify(other);
  const pieces = objectPieces({
    text: stringPieces(text),
    other: json === undefined ? undefined : slices(json),
  });
  const whole = await new Response(streamPieces(pieces)).text();
  const value = { text, ...(json !== undefined && { other: JSON.parse(json) as unknown }) };
  expect(JSON.parse(whole)).toEqual(value);
}

test("an object without members is empty", () => {
  expect([...objectPieces({ none: undefined })].join("")).toBe("{}");
});

test("others get their turn while a client takes a long text at once", async () => {
  let turns = 0;
  let counting = setImmediate(count);
  function count() {
    turns += 1;
    counting = setImmediate(count);
  }
  const pieces = stringPieces('"'.repeat(4_000_000));
  await new Response(streamPieces(pieces)).text();
  clearImmediate(counting);
  expect(turns).toBeGreaterThan(50);
});

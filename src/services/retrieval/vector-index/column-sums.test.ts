import { readFile } from "node:fs/promises";
import fc from "fast-check";
import { expect, test } from "vitest";
import wabt from "wabt";
import { columnSums, moduleBytes, toMultipliers } from "./column-sums.ts";

test("the module is the text beside it", async () => {
  const path = new URL("./column-sums.wat", import.meta.url);
  const { parseWat } = await wabt();
  const { buffer } = parseWat(path.pathname, await readFile(path, "utf8"), {
    simd: true,
  }).toBinary({});
  expect(Buffer.from(moduleBytes())).toEqual(Buffer.from(buffer));
});

test("adds up the columns that a vector names, in proportion to its numbers", () => {
  const rows = 32;
  const sums = columnSums(rows);
  const number = fc.integer({ min: -127, max: 127 });
  fc.assert(
    fc.property(
      fc.array(fc.float({ min: -1, max: 1, noNaN: true }), { minLength: 1, maxLength: 20 }),
      fc.infiniteStream(number),
      (vector, stream) => {
        const numbers = Int8Array.from({ length: rows * vector.length }, () =>
          Number(stream.next().value),
        );
        const { columns, times } = toMultipliers(vector);
        const expected = Array.from({ length: rows }, (_, row) =>
          columns.reduce(
            (sum, column, n) => sum + (times[n] ?? 0) * (numbers[column * rows + row] ?? 0),
            0,
          ),
        );
        expect([...sums(numbers, { columns, times })]).toEqual(expected);
      },
    ),
  );
});

test("adds up what does not fit into one page of its memory", () => {
  const [rows, count] = [4_096, 37];
  const numbers = Int8Array.from(
    { length: rows * count },
    (_, n) => ((n * 31) % 255) - 127,
  );
  const { columns, times } = toMultipliers(
    Array.from({ length: count }, (_, n) => Math.sin(n + 1)),
  );
  const expected = Array.from({ length: rows }, (_, row) =>
    columns.reduce(
      (sum, column, n) => sum + (times[n] ?? 0) * (numbers[column * rows + row] ?? 0),
      0,
    ),
  );
  expect([...columnSums(rows)(numbers, { columns, times })]).toEqual(expected);
});

test("what 2,000 columns add up to fits", () => {
  const columns = 2_000;
  const sums = columnSums(16);
  const numbers = new Int8Array(16 * columns).fill(127);
  const vector = new Float32Array(columns).fill(1);
  expect(sums(numbers, toMultipliers(vector))[0]).toBe(127 * 2_047 * columns);
});

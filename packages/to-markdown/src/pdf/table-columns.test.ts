import { expect, test } from "vitest";
import { buildSegments } from "./build-segments.ts";
import { findTables } from "./find-tables.ts";
import { line } from "./place-text.test-support.ts";

test("a long name of a column is in that column, though its values stand in the middle of it", () => {
  const rows = [0, 1, 2, 3, 4].flatMap((row) =>
    ["alpha", "12", "34", "56", "78"].flatMap((cell, at) =>
      line(cell, [5, 120, 200, 300, 400][at] ?? 0, 35 + row * 20),
    ),
  );
  const names = [
    ...line("Kind", 5, 15),
    ...line("Of_towns", 105, 15),
    ...line("Of_the_villages", 155, 15),
    ...line("Of_farms", 285, 15),
    ...line("Of_fields", 380, 15),
  ];
  const { tables } = findTables(buildSegments([...names, ...rows]), {
    rules: [],
    fills: [],
  });
  expect(tables[0]?.rows[0]).toEqual([
    "Kind",
    "Of_towns",
    "Of_the_villages",
    "Of_farms",
    "Of_fields",
  ]);
});

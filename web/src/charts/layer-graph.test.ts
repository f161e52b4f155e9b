import { expect, test } from "vitest";
import { placeNodes } from "./layer-graph.ts";

test("a node stands in the column after the last of those that come before it", () => {
  const placed = placeNodes([
    { id: "start", after: [] },
    { id: "sum", after: ["one", "start"] },
    { id: "one", after: ["start"] },
    { id: "two", after: ["start"] },
    { id: "lost", after: ["deleted"] },
  ]);
  expect(placed.map(({ node, column, row }) => [node.id, column, row])).toEqual([
    ["start", 0, 0],
    ["sum", 2, 0],
    ["one", 1, 0],
    ["two", 1, 1],
    ["lost", 0, 1],
  ]);
});

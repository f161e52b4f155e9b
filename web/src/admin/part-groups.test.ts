import { expect, test } from "vitest";
import { groupParts } from "./part-groups.ts";
import { PARTS } from "./parts.ts";

test("every part stands in one group, and no group is empty", () => {
  const groups = groupParts(PARTS);
  const grouped = groups.flatMap(({ parts }) => parts.map(({ label }) => label));
  expect(grouped.toSorted()).toEqual(PARTS.map(({ label }) => label).toSorted());
  const people = PARTS.filter(({ label }) => label === "users");
  expect(groupParts(people).map(({ name }) => name)).toEqual(["people"]);
});

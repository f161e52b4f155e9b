import { globSync } from "node:fs";
import { basename, dirname } from "node:path";
import { expect, test } from "vitest";

/** Numbers that two migrations had when the rule came; databases know them by their whole names. */
const BEFORE_THE_RULE = [
  "src/services/core/migrations/0056",
  "src/services/users/migrations/0028",
  "src/services/users/migrations/0032",
  "src/services/users/migrations/0043",
  "src/services/users/migrations/0044",
];

test("no two migrations of a service have the same number", () => {
  const numbers = globSync("src/**/migrations/*.sql").map(
    (path) => `${dirname(path)}/${basename(path).split("_", 1)[0]}`,
  );
  expect(numbers.length).toBeGreaterThan(100);
  const repeated = numbers.filter((number, at) => numbers.indexOf(number) !== at);
  expect(new Set(repeated)).toEqual(new Set(BEFORE_THE_RULE));
});

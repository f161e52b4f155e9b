import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const SOURCE = join(import.meta.dirname, "../..");

test("no statement is given JSON that may hold what PostgreSQL cannot store", () => {
  const files = globSync("**/*.ts", { cwd: SOURCE }).filter(
    (file) => !file.endsWith(".test.ts"),
  );
  const own = files.filter((file) =>
    /\$\{JSON\.stringify\([^`]*?\}::jsonb?\b/.test(
      readFileSync(join(SOURCE, file), "utf8"),
    ),
  );
  expect(files.length).toBeGreaterThan(500);
  expect(own).toEqual([]);
});

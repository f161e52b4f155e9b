import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { errors } from "./errors.de.ts";

const SOURCE = join(import.meta.dirname, "../../../src");
const THROWN =
  /new (?:BadRequest|Unauthorized|Forbidden|NotFound|RequestTimeout|Conflict|TooLarge|UnsupportedType|TooManyRequests|BadGateway|Unavailable|GatewayTimeout)\(\s*"(\w+)"|new ApiError\(\s*\w+,\s*"(\w+)"/g;

test("every error of the source has a German sentence", () => {
  const files = globSync("**/*.ts", { cwd: SOURCE }).filter(
    (file) => !/\.test\.|\/testing\//.test(file),
  );
  const codes = files.flatMap((file) =>
    [...readFileSync(join(SOURCE, file), "utf8").matchAll(THROWN)].map(
      ([, of, ofApiError]) => of ?? ofApiError ?? "",
    ),
  );
  expect(codes.length).toBeGreaterThan(400);
  expect([...new Set(codes)].filter((code) => !(code in errors))).toEqual([]);
});

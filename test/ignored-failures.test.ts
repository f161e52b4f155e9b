import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

/** What ignores a failure of a promise. */
const IGNORES = /\.catch\(\(\) => \{\}\)/;
/** A comment beside it, or just above it. */
const MAX_LINES_ABOVE = 5;

test("whatever ignores a failure says why", () => {
  const listed = execFileSync("git", ["ls-files", "src", "packages", "web"]);
  const files = listed.toString().trim().split("\n");
  const silent = files
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.ts$|\/testing\//.test(file))
    .flatMap((file) => {
      const lines = readFileSync(file, "utf8").split("\n");
      return lines.flatMap((line, at) => {
        if (!IGNORES.test(line)) return [];
        const near = lines.slice(Math.max(0, at - MAX_LINES_ABOVE), at + 2);
        return near.some((one) => /\/\/|\*\//.test(one)) ? [] : [`${file}:${at + 1}`];
      });
    });
  expect(silent).toEqual([]);
});

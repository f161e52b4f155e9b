import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

/** What goes on as if nothing had failed: with nothing, or with the same answer every time. */
const IGNORES =
  /\.catch\(\s*\(\)(?:: [\w[\]]+)? => (?:\{\}|undefined|null|false|\[\](?: as [\w[\]]+)?|""),?\s*\)/g;
/** The reason stands on its lines, or just above. */
const MAX_LINES_ABOVE = 2;

/** The lines at which a failure is ignored without a reason. */
function findSilent(text: string): number[] {
  const lines = text.split("\n");
  return [...text.matchAll(IGNORES)].flatMap((match) => {
    const first = text.slice(0, match.index).split("\n").length;
    const last = first + match[0].split("\n").length - 1;
    const near = lines.slice(Math.max(0, first - 1 - MAX_LINES_ABOVE), last);
    return near.some((line) => /(?:^|\s)\/\/ |\*\/$/.test(line)) ? [] : [first];
  });
}

test("whatever ignores a failure says why", () => {
  const listed = execFileSync("git", ["ls-files", "src", "packages", "web"]);
  const files = listed.toString().trim().split("\n");
  const silent = files
    .filter(
      (file) =>
        /\.tsx?$/.test(file) &&
        !/\.(?:test|walk)\.ts$|\/(?:testing|test|bench)\//.test(file),
    )
    .flatMap((file) =>
      findSilent(readFileSync(file, "utf8")).map((line) => `${file}:${line}`),
    );
  expect(silent).toEqual([]);
});

test.each([
  ["  await rm(path).catch(() => {});", [1]],
  ["  await rm(path).catch(() => {}); // its name is its own", []],
  ["// a reason\n\n  await rm(path).catch(() => {});", []],
  ["// a reason of something else\n\n\n  await rm(path).catch(() => {});", [4]],
  ["  ask('http://x').catch(() => undefined);", [1]],
  ["  ask()\n    .catch(\n      () => [] as string[],\n    );", [2]],
  ["  ask().catch(() => report());", []],
])("a reason is a comment at the place: %s", (text, lines) => {
  expect(findSilent(text)).toEqual(lines);
});

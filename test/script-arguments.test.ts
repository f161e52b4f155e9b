import { execFile } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const run = promisify(execFile);
const READER = "scripts/read-arguments.ts";
const scripts = globSync("{scripts,bench,packages/*/bench,test/support}/**/*.ts")
  .filter((file) => !file.includes("node_modules/") && file !== READER)
  .map((file) => ({ file, text: readFileSync(file, "utf8") }));
/** Child processes of tests, which nobody starts by hand. */
const CHILDREN = ["test/support/record-turns.ts"];
const withUsage = scripts
  .filter(({ text }) => text.includes("read-arguments.ts"))
  .map(({ file }) => file);

test("every script and benchmark reads its arguments in one way", () => {
  const own = scripts.filter(({ file }) => !CHILDREN.includes(file));
  const others = own.filter(({ text }) => /\bparseArgs\(|\bprocess\.argv\b/.test(text));
  expect(others.map(({ file }) => file)).toEqual([]);
});

test.each([...withUsage, "src/main.ts", "packages/to-markdown/src/cli.ts"])(
  "%s prints its usage on request and for an option that it does not take",
  async (file) => {
    const help = await run(process.execPath, [file, "--help"]);
    expect(help.stdout + help.stderr).toMatch(/Usage: |^parlance – /);
    const wrong = await run(process.execPath, [file, "--no-such-option"]).catch(
      (error: { code: number; stderr: string }) => error,
    );
    expect(wrong).toMatchObject({ code: 2 });
    expect(wrong.stderr).toContain("no-such-option");
    expect(wrong.stderr).toMatch(/Usage: |^parlance – /m);
  },
);

test("the benchmark refuses a part that it does not have", async () => {
  const args = ["bench/main.ts", "--only", "search,no-such-part"];
  const wrong = await run(process.execPath, args).catch(
    (error: { code: number; stderr: string }) => error,
  );
  expect(wrong).toMatchObject({ code: 2 });
  expect(wrong.stderr).toContain("There is no part no-such-part.");
});

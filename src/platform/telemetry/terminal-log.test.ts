import { expect, test } from "vitest";
import { createLog } from "./log.ts";
import { writesForPeople } from "./terminal-log.ts";

test("at a terminal, migrations are one line, and everything else is plain text", () => {
  const printed: string[] = [];
  const write = writesForPeople((text) => printed.push(text));
  const log = createLog({ level: "info", name: "parlance", write });
  for (const migration of ["001", "002", "003"])
    log.info({ schema: "users", migration }, "migrated");
  log.child({ service: "parser" }).warn({ memoryBytes: 5, apiKey: "x" }, "little memory");
  expect(printed).toEqual([
    "Preparing the database …\n",
    expect.stringMatching(
      /^\d\d:\d\d:\d\d warn parser: little memory memoryBytes=5 apiKey=•••\n$/,
    ),
  ]);
});

test("at a terminal, what a part reports at each start shows only where something is wrong", () => {
  const printed: string[] = [];
  const write = writesForPeople((text) => printed.push(text));
  const log = createLog({ level: "info", name: "parlance", write });
  log.info({ isolation: "namespaces", atStart: true }, "Files are read apart.");
  log.warn({ isolation: "none", atStart: true }, "Files are not read apart.");
  expect(printed).toEqual([
    expect.stringMatching(/warn Files are not read apart\. isolation=none\n$/),
  ]);
});

test("at a terminal, a failure keeps its stack, and a line that is no entry stays", () => {
  const printed: string[] = [];
  const write = writesForPeople((text) => printed.push(text));
  createLog({ level: "info", name: "x", write }).error({ err: new Error("broken") }, "oh");
  write("not an entry\n");
  expect(printed[0]).toContain("Error: broken");
  expect(printed[1]).toBe("not an entry\n");
});

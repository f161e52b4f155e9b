import { describe, expect, test } from "vitest";
import { toScript } from "./to-script.ts";

describe("code as a script", () => {
  test.each([
    [`import fs from "node:fs"`, `const { default: fs } = await __import("node:fs");`],
    [
      `import { readFileSync as read, statSync } from 'fs';`,
      `const { readFileSync: read, statSync: statSync } = await __import("fs");`,
    ],
    [
      `import os, * as all from "os";`,
      `const all = await __import("os"), { default: os } = await __import("os");`,
    ],
    [`import "./setup.mjs";`, `await __import("./setup.mjs");`],
    [
      `import { "a-b" as c } from "./names.mjs"`,
      `const { "a-b": c } = await __import("./names.mjs");`,
    ],
    [
      `async function load() { return (await import("os")).EOL }`,
      `async function load() { return (await __import("os")).EOL }`,
    ],
    [
      `import\n{\n  EOL\n}\nfrom "os"; EOL`,
      `const { EOL: EOL } = await __import("os");\n\n\n\n EOL`,
    ],
    ["const text = `import a from 'b'`", "const text = `import a from 'b'`"],
    [
      `// import fs from "fs"\nawait import("fs")`,
      `// import fs from "fs"\nawait __import("fs")`,
    ],
  ])("%s", (code, script) => {
    expect(toScript(code)).toBe(script);
  });

  test.each(["with (Math) max(1, 2)", "const a = ", "import from", "}{"])(
    "leaves to the interpreter what no module may be: %s",
    (code) => {
      expect(toScript(code)).toBe(code);
    },
  );

  test("leaves code that is nested too deep to be read as it is", () => {
    const code = `${"[".repeat(100_000)}import("os")${"]".repeat(100_000)}`;
    expect(toScript(code) === code).toBe(true);
  });

  test("reads a program of many statements", () => {
    const code = `import("os");\n`.repeat(5_000);
    expect(toScript(code) === `__import("os");\n`.repeat(5_000)).toBe(true);
  });
});

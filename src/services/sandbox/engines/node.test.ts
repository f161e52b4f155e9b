import { createServer } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { lackingGuarantees } from "../../../platform/isolation/isolation.ts";
import { workingIsolations } from "../../../platform/isolation/testing/working-isolations.ts";
import { held } from "../../../../test/support/held.ts";
import { aSandbox } from "../testing/a-sandbox.ts";

const ROOT = await mkdtemp(join(tmpdir(), "root-"));
const WHOLE = [...(await workingIsolations(ROOT))].filter(
  ([, isolation]) => lackingGuarantees(isolation).length === 0,
);

describe.each(WHOLE)("JavaScript in %s", (_, isolation) => {
  const language = "javascript";
  let box: Awaited<ReturnType<typeof aSandbox>>;
  beforeAll(async () => {
    box = await aSandbox({ language, isolation, limits: { processorMs: 5_000 } });
  });
  afterAll(() => box[Symbol.asyncDispose]());
  const printed = async (code: string) => (await box.run(code)).text;

  test("shows what is printed and the last value, and keeps variables between calls", async () => {
    const first = await box.run(
      "const x = 20\nconsole.log('one')\nconsole.error('two')\nprocess.stdout.write('three')\nx + 1",
    );
    expect(first.output).toEqual([
      { stream: "stdout", text: "one\n" },
      { stream: "stderr", text: "two\n" },
      { stream: "stdout", text: "three21\n" },
    ]);
    expect(first.interpreter).toMatch(/^Node\.js 2\d\./);
    const second = await box.run("x * 2");
    expect(second).toMatchObject({ text: "40\n", isNew: false });
  });

  test("lets a call declare the names of an earlier one once more", async () => {
    await box.run("const a = 1; let b = 2; class C {}\nfunction d() {}");
    expect(await printed("const a = 2; let b = 3; class C {}\na + b")).toBe("5\n");
  });

  test("waits for what is awaited, and for what goes on without it", async () => {
    expect(await printed("await new Promise((r) => setTimeout(() => r(7), 20))")).toBe(
      "7\n",
    );
    expect(await printed("setTimeout(() => console.log('late'), 20)")).toBe("late\n");
    expect(await printed("(async () => 'value')()")).toBe("value\n");
    const never = await box.run("await new Promise(() => {})");
    expect(never).toMatchObject({
      error: expect.stringContaining("never comes"),
      isLost: false,
    });
  });

  test("imports modules of Node and files of its folder, as they are now", async () => {
    expect(
      await printed(
        `import { EOL } from "node:os"; import path from "path"; path.sep + EOL`,
      ),
    ).toBe("/\n\n");
    const write = (value: number) =>
      `require("fs").writeFileSync("own.mjs", "export const value = ${value}")`;
    await box.run(write(1));
    expect(await printed(`import { value } from "./own.mjs"; value`)).toBe("1\n");
    await box.run(write(22));
    expect(await printed(`(await import("/files/own.mjs")).value`)).toBe("22\n");
    const { error } = await box.run(`import x from "lodash"`);
    expect(error).toContain(`There is no module "lodash" here`);
    expect(error).not.toContain("node-runner");
  });

  test.each([
    ["throw new RangeError('no')", /^RangeError: no\n +at cell-\d+\.js:1:7$/],
    [
      "function f(n) { return n.x }\nf(null)",
      /^TypeError: [^]*at f \(cell-\d+\.js:1:[^]*js:2:1/,
    ],
    ["const a = (\n1", /^SyntaxError: [^]*at the end/],
    ["1;\nlet 2", /^SyntaxError: [^]*line 2, column 5/],
    ["throw { reason: 1 }", /^Uncaught \{ reason: 1 \}$/],
    ["setTimeout(() => { throw new Error('later') }, 5); 1", /^Error: later/],
    ["Promise.reject(new Error('nobody')); 1", /^Error: nobody/],
    ["process.exit(3)", /exit code 3/],
  ])("says what went wrong: %s", async (code, message) => {
    const ran = await box.run(code);
    expect(ran.error).toMatch(message);
    expect(ran).toMatchObject({ isLost: false });
    expect(ran.ending).toBeUndefined();
  });

  test("ends a call, and not the session, where code ends the process", async () => {
    await box.run("const kept = 1");
    expect((await box.run("console.log('a'); process.exit(0)")).error).toBeUndefined();
    expect(await printed("kept")).toBe("1\n");
  });

  test("keeps files that the code writes and changes, and gives it those of the conversation", async () => {
    const conversationId = crypto.randomUUID();
    const run = (code: string) => box.run(code, { conversationId });
    const { files } = await run(
      `const fs = require("fs"); fs.mkdirSync("out"); fs.writeFileSync("out/a.csv", "a,b\\n");
       fs.writeFileSync("dot.png", Buffer.concat([Buffer.from("89504e470d0a1a0a", "hex"), Buffer.alloc(300_000)]))`,
    );
    expect(files.map(({ name, mediaType, size }) => [name, mediaType, size])).toEqual([
      ["dot.png", "image/png", 300_008],
      ["out/a.csv", "text/csv", 4],
    ]);
    expect((await run("fs.readFileSync('out/a.csv', 'utf8')")).files).toEqual([]);
    const changed = await run("fs.appendFileSync('out/a.csv', '1,2\\n')");
    expect(await box.read(changed.files[0]?.key ?? "")).toBe("a,b\n1,2\n");
    const given = {
      name: "given.csv",
      size: 8,
      version: "1",
      from: { kind: "stored" as const, key: changed.files[0]?.key ?? "" },
    };
    const read = await box.run("fs.readFileSync('given.csv', 'utf8')", {
      conversationId,
      files: [given],
    });
    expect(read).toMatchObject({ text: "a,b\n1,2\n\n", files: [] });
  });

  test("leaves out hostile names and more than fifty files, and says so", async () => {
    const conversationId = crypto.randomUUID();
    const strange = await box.run(
      String.raw`for (const name of ["new\nline", "right\u202eleft", "back\\slash", ".hidden", "good"])
        require("fs").writeFileSync(name, "x")`,
      { conversationId },
    );
    expect(strange.files.map(({ name }) => name)).toEqual(["good"]);
    expect(strange.left.map(({ reason }) => reason)).toEqual(["name", "name", "name"]);
    const many = await box.run(
      `for (let n = 10; n < 65; n++) require("fs").writeFileSync("f" + n, "x")`,
      { conversationId: crypto.randomUUID() },
    );
    expect(many.files).toHaveLength(50);
    expect(many.left[0]).toMatchObject({ name: "f60", reason: "number" });
  });

  test("refuses more than a hundred megabytes of files with an error that code reads", async () => {
    const ran = await box.run(
      `const block = Buffer.alloc(2 ** 20), big = require("fs").openSync("big", "w");
       let failure; try { for (let n = 0; n < 101; n++) require("fs").writeSync(big, block) } catch (error) { failure = error.code }
       require("fs").unlinkSync("big"); failure`,
      { conversationId: crypto.randomUUID() },
    );
    expect(ran.text).toBe("ENOSPC\n");
  });

  test("ends code that prints without end, and goes on with its variables", async () => {
    const ran = await box.run("let y = 5; for (;;) console.log('x'.repeat(1000))");
    expect(ran).toMatchObject({ ending: "output", isLost: false });
    expect(ran.text.length).toBe(100_000);
    expect(await printed("y")).toBe("5\n");
  });

  test("ends what computes for too long", async () => {
    await using quick = await aSandbox({
      language,
      isolation,
      limits: { processorMs: 1_500 },
    });
    const ran = await quick.run(`console.log("begun"); for (;;);`);
    expect(ran).toMatchObject({ ending: "time", isLost: true, text: "begun\n" });
    expect((await quick.run("1")).text).toBe("1\n");
  });

  test.each([
    ["const a = []; for (;;) a.push(Buffer.alloc(1e7, 1))", "memory"],
    ["const b = []; for (;;) b.push({ some: [1, 2, 3] })", "memory"],
    ["process.reallyExit(0)", "crash"],
    ["require('fs').writeSync(3, 'garbage that is no frame')", "crash"],
  ])("ends what takes too much, or breaks the rules: %s", async (code, ending) => {
    const conversationId = crypto.randomUUID();
    const ran = await box.run(`console.log("begun"); ${code}`, { conversationId });
    expect(ran).toMatchObject({ ending, isLost: true, text: "begun\n" });
    expect((await box.run("1", { conversationId })).text).toBe("1\n");
  });

  test("keeps sessions of other conversations, users and languages apart", async () => {
    const conversationId = crypto.randomUUID();
    await box.run("globalThis.secret = 1; require('fs').writeFileSync('s', 'x')", {
      conversationId,
    });
    const look = "[typeof secret, require('fs').existsSync('s')].join()";
    for (const other of [{}, { conversationId, userId: "eve" }])
      expect((await box.run(look, other)).text).toBe("undefined,false\n");
    expect((await box.run(look, { conversationId })).text).toBe("number,true\n");
    const python = { conversationId, language: "python" } as const;
    expect((await box.run("'secret' in globals()", python)).text).toBe("False\n");
  });

  test("reaches no file, network, program or secret of the server", async () => {
    process.env["SANDBOX_TEST_SECRET"] = "hidden";
    const server = createServer((_, answer) => answer.end("reached")).listen(
      0,
      "127.0.0.1",
    );
    let reached = 0;
    server.on("connection", () => (reached += 1));
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const attempts = [
      `require("fs").readFileSync("/etc/passwd")`,
      `require("fs").readFileSync("/proc/self/environ")`,
      `require("fs").readFileSync("/proc/1/environ")`,
      `require("fs").readdirSync("/root")`,
      `require("fs").readdirSync(${JSON.stringify(`${process.cwd()}/.git`)})`,
      `require("fs").writeFileSync("/tmp/x", "x")`,
      `require("fs").writeFileSync("/etc/x", "x")`,
      `require("fs").symlinkSync("/etc", "etc")`,
      `require("fs").linkSync(process.execPath, "node")`,
      `require("child_process").execFileSync("/bin/sh")`,
      `require("child_process").execFileSync(process.execPath)`,
      `new (require("worker_threads").Worker)("", { eval: true })`,
      `new (require("inspector").Session)().connect()`,
      `require("inspector").open()`,
      `process.dlopen({ exports: {} }, "/lib/x.node")`,
      `new (require("wasi").WASI)({ version: "preview1" })`,
      `process.binding("fs").open("/etc/passwd", 0, 0)`,
      `await fetch("http://127.0.0.1:${port}/")`,
      `await fetch("http://[::1]:${port}/")`,
      `await require("dns").promises.lookup("example.com")`,
      `await require("dns").promises.resolve("example.com")`,
      `await new Promise((open, no) => require("net").connect(${port}, "127.0.0.1", open).on("error", no))`,
      `await new Promise((open, no) => require("net").connect("/var/run/docker.sock", open).on("error", no))`,
      `if (!JSON.stringify(process.env).includes("hidden")) throw 0`,
    ];
    for (const attempt of attempts) {
      const { error, ending } = await box.run(attempt);
      expect(error ?? ending, attempt).toBeDefined();
      held("peoples-code", 1);
    }
    expect(reached).toBe(0);
    server.close();
  });
});

import { existsSync } from "node:fs";
import { mkdtemp, readdir, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildZip } from "@parlance/to-markdown/formats/build-zip.test-support.ts";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { chooseIsolation } from "../../platform/isolation/choose-isolation.ts";
import { lackingGuarantees, notIsolated } from "../../platform/isolation/isolation.ts";
import { openSandbox } from "./open-sandbox.ts";
import { aSandbox } from "./testing/a-sandbox.ts";

const PYTHON = "/usr/bin/python3";
const isIsolated = lackingGuarantees(await chooseIsolation("auto", tmpdir())).length === 0;
const ENGINES = [
  ["Pyodide", undefined],
  ...(existsSync(PYTHON) ? [["the system's Python", PYTHON] as const] : []),
] as const;

test("without isolation no code is run, and the reason says what to do", async () => {
  const config = {
    SANDBOX_PYTHON: undefined,
    SANDBOX_WHEELS: undefined,
    SANDBOX_SESSIONS: 2,
  };
  await using sandbox = openSandbox({ config, folder: tmpdir(), isolation: notIsolated });
  const lack = await sandbox.lacks();
  expect(lack?.code).toBe("sandbox_not_isolated");
  expect(lack?.message).toContain("bubblewrap");
  const owner = {
    userId: "ada",
    conversationId: crypto.randomUUID(),
    language: "python",
  } as const;
  const { signal } = new AbortController();
  const ran = sandbox.sessions.use(owner, signal, async () => "ran");
  await expect(ran).rejects.toMatchObject({ code: "sandbox_not_isolated" });
});

describe.skipIf(!isIsolated)("the picture of Pyodide's memory", () => {
  test("is made beside the first session, and one that is damaged only costs time", async () => {
    const snapshots = await mkdtemp(join(tmpdir(), "snapshots-"));
    const pictures = async () =>
      (await readdir(snapshots)).filter((name) => name.endsWith(".snapshot"));
    await using first = await aSandbox({ snapshots });
    expect(await pictures()).toEqual([]);
    expect((await first.run("1 + 1")).text).toBe("2\n");
    await vi.waitFor(async () => expect(await pictures()).toHaveLength(1), 60_000);
    const [name = ""] = await pictures();
    await writeFile(join(snapshots, name), "damaged");
    await using second = await aSandbox({ snapshots });
    expect((await second.run("1 + 1")).text).toBe("2\n");
  });
});

describe.skipIf(!isIsolated)("a folder of wheels", () => {
  const wheel = (module: string) => {
    const info = `${module}-1.0.dist-info`;
    return buildZip({
      [`${module}/__init__.py`]: `from .words import GREETING`,
      [`${module}/words.py`]: `GREETING = "hello from ${module}"`,
      [`${info}/METADATA`]: `Metadata-Version: 2.1\nName: ${module}\nVersion: 1.0\n`,
      [`${info}/WHEEL`]: "Wheel-Version: 1.0\nTag: py3-none-any\n",
      [`${info}/RECORD`]: "",
    });
  };
  const name = (module: string) => `${module}-1.0-py3-none-any.whl`;

  test("is what code may import beside the standard library, also what was added later", async () => {
    const wheels = await mkdtemp(join(tmpdir(), "wheels-"));
    await writeFile(join(wheels, name("tables")), wheel("tables"));
    await using box = await aSandbox({ wheels });
    const first = await box.run("import tables\ntables.GREETING");
    expect(first.text).toBe("'hello from tables'\n");
    await writeFile(join(wheels, name("slides")), wheel("slides"));
    const later = { conversationId: crypto.randomUUID() };
    const second = await box.run("import slides\nslides.GREETING", later);
    expect(second.text).toBe("'hello from slides'\n");
    // they are no files of the code
    expect(second.files).toEqual([]);
  });

  test("with a damaged wheel, or without the folder, says which and starts nothing", async () => {
    const wheels = await mkdtemp(join(tmpdir(), "wheels-"));
    const bytes = wheel("broken");
    bytes[40] = ~(bytes[40] ?? 0);
    for (const broken of ["no archive", bytes.subarray(0, -30), bytes]) {
      await writeFile(join(wheels, name("broken")), broken);
      await using box = await aSandbox({ wheels });
      const failure = await box.run("1").catch((error: unknown) => error);
      expect(failure).toMatchObject({ code: "sandbox_unavailable" });
      expect(String((failure as Error).cause)).toContain("broken-1.0-py3-none-any.whl");
    }
    await using other = await aSandbox({ wheels: join(wheels, "nowhere") });
    const missing = await other.run("1").catch((error: unknown) => error);
    expect(missing).toMatchObject({ code: "sandbox_unavailable" });
    expect(String((missing as Error).cause)).toContain("nowhere");
  });
});

describe.skipIf(!isIsolated).each(ENGINES)("%s", (_, python) => {
  const isPyodide = python === undefined;
  let box: Awaited<ReturnType<typeof aSandbox>>;
  beforeAll(async () => {
    box = await aSandbox({ python });
  });
  afterAll(() => box[Symbol.asyncDispose]());

  test("shows what is printed and the last value, and keeps variables between calls", async () => {
    const first = await box.run(
      "import sys\nx = 20\nprint('one')\nprint('two', file=sys.stderr)\nx + 1",
    );
    expect(first.output).toEqual([
      { stream: "stdout", text: "one\n" },
      { stream: "stderr", text: "two\n" },
      { stream: "stdout", text: "21\n" },
    ]);
    expect(first.interpreter).toMatch(/^Python 3\.\d+/);
    const second = await box.run("x * 2");
    expect(second.text).toBe("40\n");
    expect(second.isNew).toBe(false);
  });

  test("draws other random numbers in each session", async () => {
    const draw = "import random\nrandom.random()";
    const one = await box.run(draw, { conversationId: crypto.randomUUID() });
    const other = await box.run(draw, { conversationId: crypto.randomUUID() });
    expect(one.text).not.toBe(other.text);
  });

  test("waits for what is awaited outside of functions", async () => {
    const code =
      "import asyncio\nasync def f():\n  await asyncio.sleep(0)\n  return 7\nawait f()";
    expect((await box.run(code)).text).toBe("7\n");
  });

  test("says what went wrong as Python does, with lines of the code alone", async () => {
    const ran = await box.run("def halve(n):\n    return n / 0\nprint('before')\nhalve(4)");
    expect(ran.text).toBe("before\n");
    expect(ran.error).toMatch(
      /^Traceback[^]*line 4[^]*line 2, in halve[^]*ZeroDivisionError/,
    );
    expect(ran.error).not.toContain("cell.py");
    const wrong = await box.run("print('a'\n");
    expect(wrong.error).toContain("SyntaxError");
    expect(wrong.ending).toBeUndefined();
  });

  test("keeps files that the code writes and changes, with their types", async () => {
    const code = `import os
os.makedirs("out", exist_ok=True)
open("out/numbers.csv", "w").write("a,b\\n1,2\\n")
open("dot.png", "wb").write(b"\\x89PNG\\r\\n\\x1a\\n" + bytes(300_000));`;
    const { files } = await box.run(code);
    expect(files.map(({ name, mediaType, size }) => [name, mediaType, size])).toEqual([
      ["dot.png", "image/png", 300_008],
      ["out/numbers.csv", "text/csv", 8],
    ]);
    expect(await box.read(files[1]?.key ?? "")).toBe("a,b\n1,2\n");
    expect((await box.run("open('out/numbers.csv').read()")).files).toEqual([]);
    const changed = await box.run("open('out/numbers.csv', 'a').write('3,4\\n');");
    expect(await box.read(changed.files[0]?.key ?? "")).toBe("a,b\n1,2\n3,4\n");
  });

  test("saves figures that the code drew and did not save", async () => {
    // the part of matplotlib that is asked
    const drawn = `import sys, types
class Figure:
    def savefig(self, path, **options): open(path, "wb").write(b"\\x89PNG\\r\\n\\x1a\\n")
figures = {1: Figure()}
pyplot = types.SimpleNamespace(get_fignums=lambda: list(figures), figure=figures.get,
    close=lambda which: None)
sys.modules["matplotlib.pyplot"] = pyplot;`;
    const conversationId = crypto.randomUUID();
    const names = async (code: string) =>
      (await box.run(code, { conversationId })).files.map((file) => file.name);
    expect(await names(drawn)).toEqual(["figure-1.png"]);
    expect(await names("pass")).toEqual(["figure-2.png"]);
    expect(await names("figures[1].savefig('mine.png')")).toEqual(["mine.png"]);
  });

  test("gives code the files of its conversation, and newer ones in their place", async () => {
    const conversationId = crypto.randomUUID();
    const write = await box.run("open('told.txt', 'w').write('first');", {
      conversationId,
    });
    const [stored] = write.files;
    const file = (version: string) => ({
      name: "told.txt",
      size: 5,
      version,
      from: { kind: "stored" as const, key: stored?.key ?? "" },
    });
    const other = { conversationId, userId: "eve", files: [file("1")] };
    expect((await box.run("open('told.txt').read()", other)).text).toBe("'first'\n");
    await box.run("open('told.txt', 'w').write('mine');", other);
    const again = { ...other, files: [file("2")] };
    const read = await box.run("open('told.txt').read()", again);
    expect(read.text).toBe("'first'\n");
    expect(read.files).toEqual([]);
  });

  test("ends code that computes for too long, and keeps what it printed", async () => {
    await using quick = await aSandbox({ python, limits: { processorMs: 1_500 } });
    const ran = await quick.run("kept = 1\nprint('begun')\nwhile True: pass");
    expect(ran).toMatchObject({ ending: "time", isLost: true, text: "begun\n" });
    const next = await quick.run("'kept' in globals()");
    expect(next).toMatchObject({ isNew: true, text: "False\n" });
  });

  test("ends code that waits for too long", async () => {
    await using quick = await aSandbox({ python, limits: { callMs: 3_000 } });
    const ran = await quick.run(
      "print('begun')\nimport asyncio\nawait asyncio.sleep(3600)",
    );
    expect(ran).toMatchObject({ ending: "waiting", text: "begun\n" });
  });

  test("ends code that takes too much memory", async () => {
    const ran = await box.run(
      "print('begun')\na = []\nwhile True: a.append(bytearray(10**7))",
    );
    expect(ran).toMatchObject({ ending: "memory", isLost: true, text: "begun\n" });
    expect((await box.run("1")).text).toBe("1\n");
  });

  test("ends code that prints without end, and goes on with its variables", async () => {
    const ran = await box.run("y = 5\nwhile True: print('x' * 1000)");
    expect(ran).toMatchObject({ ending: "output", isLost: false });
    expect(ran.text.length).toBe(100_000);
    expect((await box.run("y")).text).toBe("5\n");
  });

  test("refuses more than a hundred megabytes of files with an error that code reads", async () => {
    const code = `block = bytes(2**20)
try:
    with open("big", "wb") as file:
        for _ in range(101): file.write(block)
except OSError as error:
    print("full", error.errno is not None)
import os; os.unlink("big")
open("small", "w").write("fits again")`;
    const ran = await box.run(code);
    expect(ran.ending).toBeUndefined();
    expect(ran.text).toContain("full True");
    expect(ran.error).toBeUndefined();
    expect(ran.files.map((file) => file.name)).toEqual(["small"]);
    // what was deleted takes no memory
    const again = await box.run(`for name in range(8):
    with open(f"{name}", "wb") as file:
        for _ in range(90): file.write(block)
    os.unlink(f"{name}")
os.unlink("small")`);
    expect([again.ending, again.error, again.files]).toEqual([undefined, undefined, []]);
  });

  test("leaves out links, strange files and hostile names, and says so", async () => {
    const code = `import os
os.symlink("/etc/passwd", "passwd.txt")
os.symlink("/", "everything")
for name in ["new\\nline", "right\\u202eto-left", "back\\\\slash", "good"]:
    open(name, "w").write("x")
open(".hidden", "w").write("x")
os.chdir("/files")`;
    const { files, left } = await box.run(code);
    expect(files.map((file) => file.name)).toEqual(["good"]);
    const names = left.map(({ name: one, reason }) => `${one}: ${reason}`);
    expect(names).toContain("passwd.txt: link");
    expect(names).toContain("everything: link");
    expect(names.filter((one) => one.endsWith(": name"))).toHaveLength(3);
    await box.run(`import os
for name in os.listdir("."): os.path.isdir(name) and not os.path.islink(name) or os.unlink(name)`);
  });

  test("keeps fifty files of a call, and names the others", async () => {
    const { files, left } = await box.run(
      `for n in range(55): open(f"f{n:02}", "w").write("x")`,
    );
    expect(files).toHaveLength(50);
    expect(left).toHaveLength(5);
    expect(left[0]).toMatchObject({ name: "f50", reason: "number" });
  });

  test("keeps sessions of other conversations and users apart", async () => {
    const conversationId = crypto.randomUUID();
    await box.run("secret = 1\nopen('secret', 'w').write('x');", { conversationId });
    const look = "import os\n'secret' in globals(), os.path.exists('secret')";
    const others = [{}, { conversationId, userId: "eve" }];
    for (const other of others)
      expect((await box.run(look, other)).text).toBe("(False, False)\n");
    expect((await box.run(look, { conversationId })).text).toBe("(True, True)\n");
  });

  test("has no variables of the server's environment", async () => {
    process.env["SANDBOX_TEST_SECRET"] = "hidden";
    await using fresh = await aSandbox({ python });
    const { text } = await fresh.run("import os\nsorted(os.environ)");
    expect(text).not.toContain("SANDBOX_TEST_SECRET");
    expect(text).not.toMatch(/KEY|TOKEN|PASS/);
  });

  test("sees no files of the server and no processes", async () => {
    const paths = [
      "/etc/passwd",
      "/etc/hostname",
      "/root",
      "/home/user",
      "/proc/1/environ",
    ];
    const own = ["/proc/self/environ", "/proc/self/maps", process.cwd() + "/.git", "/var"];
    const code = `import os
found = []
for path in ${JSON.stringify([...paths, ...own])}:
    try:
        found.append(os.listdir(path) if os.path.isdir(path) else open(path).read())
    except OSError: pass
found`;
    expect((await box.run(code)).text).toMatch(/^\[(\[\])?\]\n$/);
    const write = `for path in ["/x", "/usr/x", "/etc/x"]:
    try: open(path, "w"); print("wrote", path)
    except OSError: pass`;
    if (!isPyodide) expect((await box.run(write)).text).toBe("");
  });

  test("ends what says something that is no report", async () => {
    const conversationId = crypto.randomUUID();
    const raw = isPyodide
      ? `import js
process = js.Object.constructor("return process")()
process.getBuiltinModule("node:fs").writeSync(3, "garbage that is no frame")`
      : `import os\nos.write(3, b"garbage that is no frame")`;
    const ran = await box.run(`print("begun")\n${raw}`, { conversationId });
    expect(ran).toMatchObject({ ending: "crash", isLost: true, text: "begun\n" });
  });

  test("does not store a file whose forged name leads elsewhere", async () => {
    const conversationId = crypto.randomUUID();
    const report = JSON.stringify({ type: "file", name: "../../escaped", size: 0 });
    const length = [...Buffer.from([0, 0, 0, report.length])].map(
      (byte) => `\\x${byte.toString(16).padStart(2, "0")}`,
    );
    const frame = `J${length.join("")}`;
    const raw = isPyodide
      ? `import js
process = js.Object.constructor("return process")()
process.getBuiltinModule("node:fs").writeSync(3, "${frame}" + '${report}')`
      : `import os\nos.write(3, b"${frame}" + b'${report}')`;
    const ran = await box.run(raw, { conversationId });
    expect(ran).toMatchObject({ ending: "crash", files: [] });
  });

  test("a cancelled call ends at once, and its session with it", async () => {
    const conversationId = crypto.randomUUID();
    await box.run("1", { conversationId });
    const { signal, abort } = aborting();
    const running = box.run("while True: pass", { conversationId, signal });
    setTimeout(abort, 50);
    await expect(running).rejects.toThrow();
    expect(await box.run("1", { conversationId })).toMatchObject({ isNew: true });
  });

  test("a call that is cancelled while its interpreter starts ends it", async () => {
    await box.run("1");
    const before = new Set(await childProcesses());
    const others = async () =>
      (await childProcesses()).filter((pid) => !before.has(pid)).length;
    const { signal, abort } = aborting();
    const starting = box.run("1", { conversationId: crypto.randomUUID(), signal });
    await vi.waitUntil(async () => (await others()) > 0);
    abort();
    await expect(starting).rejects.toMatchObject({ code: "request_cancelled" });
    expect(await others()).toBe(0);
  });

  test("nothing is left of a sandbox that was closed", async () => {
    const fresh = await aSandbox({ python });
    await fresh.run("1");
    const before = await childProcesses();
    expect(before.length).toBeGreaterThan(0);
    await fresh[Symbol.asyncDispose]();
    const after = await childProcesses();
    expect(after.length).toBeLessThan(before.length);
  });
});

function aborting() {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => controller.abort(new Error("stopped")) };
}

/** The processes that this one started. */
async function childProcesses(): Promise<string[]> {
  const text = await readFile(`/proc/${process.pid}/task/${process.pid}/children`, "utf8");
  return text.split(" ").filter(Boolean);
}

import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { existsSync } from "node:fs";
import { mkdtemp, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { lackingGuarantees } from "../../platform/isolation/isolation.ts";
import { workingIsolations } from "../../platform/isolation/testing/working-isolations.ts";
import { held } from "../../../test/support/held.ts";
import { aSandbox } from "./testing/a-sandbox.ts";
import { readUsage } from "./watch-processes.ts";

/** What code does that was written to get out. */

const PYTHON = "/usr/bin/python3";
const ROOT = await mkdtemp(join(tmpdir(), "root-"));
const WHOLE = [...(await workingIsolations(ROOT))].filter(
  ([, isolation]) => lackingGuarantees(isolation).length === 0,
);
const INTERPRETERS = ["Pyodide", ...(existsSync(PYTHON) ? ["the system's Python"] : [])];
const CASES = WHOLE.flatMap(([kind, isolation]) =>
  INTERPRETERS.map((interpreter) => [interpreter, kind, isolation] as const),
);

let server: Server;
let reached = 0;
beforeAll(async () => {
  server = createServer((_, response) => {
    reached += 1;
    response.end("reached");
  });
  server.on("connection", () => (reached += 1));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});
afterAll(() => server.close());

/** JavaScript's global object, which Pyodide's code can reach whatever is taken from it. */
const ESCAPED = `import js
process = js.Object.constructor("return process")()
module = lambda name: process.getBuiltinModule("node:" + name)
`;

describe.each(CASES)("%s in %s", (interpreter, _, isolation) => {
  const python = interpreter === "Pyodide" ? undefined : PYTHON;
  let box: Awaited<ReturnType<typeof aSandbox>>;
  beforeAll(async () => {
    box = await aSandbox({
      python,
      isolation,
      limits: { processorMs: 3_000 },
    });
  });
  afterAll(() => box[Symbol.asyncDispose]());

  /** Tries each statement alone. @returns those that raised nothing. */
  async function succeeding(statements: readonly string[], before = ""): Promise<string> {
    const code = `${before}
import json
for statement in json.loads(${JSON.stringify(JSON.stringify(statements))}):
    try:
        exec(statement)
        print("open:", statement)
    except BaseException as error:
        pass`;
    const ran = await box.run(code);
    expect(ran.ending).toBeUndefined();
    expect(ran.error).toBeUndefined();
    if (ran.text === "") held("peoples-code", statements.length);
    return ran.text;
  }

  test("reaches no address and no name server, in any way", async () => {
    const { port } = server.address() as AddressInfo;
    const open = await succeeding([
      `import socket; s = socket.create_connection(("127.0.0.1", ${port}), 1); s.send(b"x"); assert s.recv(9)`,
      `import socket; s = socket.create_connection(("localhost", ${port}), 1); s.send(b"x"); assert s.recv(9)`,
      // WebAssembly makes addresses up
      `import socket; assert not socket.gethostbyname("example.com").startswith("172.29.")`,
      `import urllib.request; urllib.request.urlopen("http://127.0.0.1:${port}/", timeout=1).read()`,
      `import http.client; c = http.client.HTTPConnection("127.0.0.1", ${port}, timeout=1); c.request("GET", "/"); c.getresponse()`,
      `import socket; socket.socket(socket.AF_UNIX).connect("/var/run/docker.sock")`,
      `import pyodide.http; pyodide.http.open_url("http://127.0.0.1:${port}/")`,
      `from js import fetch`,
      `from js import XMLHttpRequest`,
    ]);
    expect(open).toBe("");
    const awaited = await box.run(
      `import pyodide.http\nawait pyodide.http.pyfetch("http://127.0.0.1:${port}/")`,
    );
    expect(awaited.error).toBeDefined();
    expect(reached).toBe(0);
  });

  test.skipIf(python)(
    "JavaScript that was reached has no network, files or programs",
    async () => {
      const { port } = server.address() as AddressInfo;
      const open = await succeeding(
        [
          `module("fs").readFileSync("/etc/passwd")`,
          `module("fs").readdirSync("/root")`,
          `module("fs").writeFileSync("/tmp/x", "x")`,
          `module("fs").writeFileSync("/files/x", "x")`,
          `module("fs").symlinkSync("/etc", "/tmp/x")`,
          `module("child_process").execFileSync("/bin/sh")`,
          `module("child_process").execFileSync(process.execPath)`,
          `js.Object.constructor("m", "new m.Worker('', {eval: true})")(module("worker_threads"))`,
          `process.dlopen(js.Object.constructor("return {exports: {}}")(), "/lib/x.node")`,
          `process.kill(1, "SIGKILL")`,
          `module("inspector").open()`,
        ],
        ESCAPED,
      );
      // a signal to the first process of the namespace has no effect
      expect(open.replace(/open: process.kill.*\n/, "")).toBe("");
      const call = `${ESCAPED}
import asyncio
answer = asyncio.Future()
socket = module("net").connect(${port}, "127.0.0.1")
from pyodide.ffi import create_proxy
socket.on("connect", create_proxy(lambda *a: answer.done() or answer.set_result("connected")))
socket.on("error", create_proxy(lambda *a: answer.done() or answer.set_result("refused")))
await answer`;
      expect((await box.run(call)).text).toContain("refused");
      expect(reached).toBe(0);
    },
  );

  test.skipIf(!python)("programs that it starts have no more than it has", async () => {
    const { text } = await box.run(`import subprocess
print(subprocess.run(["sh", "-c", "cat /etc/passwd; ls /root; ls /proc; id -u; touch /usr/x"], capture_output=True, text=True).stdout)
print(subprocess.run(["sh", "-c", "echo printed by a program"]).returncode)`);
    expect(text).not.toContain("root:");
    expect(text).toMatch(/^6\d{4}$/m);
    expect(text).toContain("printed by a program");
    const open = await succeeding([
      `import os; os.setuid(0)`,
      `import os; os.chroot("/files")`,
      `import ctypes; assert ctypes.CDLL(None).unshare(0x10000000) == 0 and False`,
      `import ctypes; assert ctypes.CDLL(None).mount(b"none", b"/files", b"proc", 0, 0) == 0`,
      `import os; os.mknod("/files/disk", 0o60600, 0x800)`,
      `import resource; resource.setrlimit(resource.RLIMIT_NPROC, (9999, 9999))`,
    ]);
    expect(open).toBe("");
  });

  test.skipIf(!python)(
    "a fork bomb ends with its call, and the session answers again",
    async () => {
      const conversationId = crypto.randomUUID();
      const bomb = `import os
print("begun", flush=True)
while True:
    try: os.fork()
    except OSError: pass`;
      const ran = await box.run(bomb, { conversationId });
      expect(ran.text).toContain("begun");
      expect(["time", "crash", "memory"]).toContain(ran.ending);
      expect((await box.run("1 + 1", { conversationId })).text).toBe("2\n");
    },
  );

  test.skipIf(!python)(
    "what it leaves running ends with its call, and threads rest",
    async () => {
      const conversationId = crypto.randomUUID();
      const left = `import subprocess, threading
subprocess.Popen(["sleep", "1000"], start_new_session=True)
subprocess.Popen(["sh", "-c", "(sleep 1000 &) ; sleep 1000"])
count = 0
def spin():
    global count
    while True: count += 1
threading.Thread(target=spin, daemon=True).start()`;
      const ran = await box.run(left, { conversationId });
      expect(ran.ending).toBeUndefined();
      const ended = await processesOf(process.pid);
      expect(ended.filter(({ name }) => name === "sleep")).toHaveLength(0);
      // a process stops when the system next gives it a turn
      const running = async () =>
        (await processesOf(process.pid)).filter(
          ({ name, state }) => name.startsWith("python") && state !== "T",
        );
      await expect.poll(running).toEqual([]);
    },
  );

  test("values that take too much memory end the call", async () => {
    const ran = await box.run(`a = [bytes(b"x" * 10**7) for n in range(100)]`);
    expect(ran.ending).toBe("memory");
  });
});

/** The processes below one, by their names and states of proc_pid_stat(5). */
async function processesOf(root: number): Promise<{ name: string; state: string }[]> {
  const { pids } = await readUsage(root);
  const stats = await Promise.all(
    pids.map((pid) => readFile(`/proc/${pid}/stat`, "utf8").catch(() => "")),
  );
  return stats.filter(Boolean).map((stat) => {
    const end = stat.lastIndexOf(")");
    return { name: stat.slice(stat.indexOf("(") + 1, end), state: stat.charAt(end + 2) };
  });
}

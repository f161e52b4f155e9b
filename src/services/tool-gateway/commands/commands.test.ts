import { createServer } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { chmod, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { gatewaysForTests } from "../../../../test/support/gateways.ts";
import { notIsolated } from "../../../platform/isolation/isolation.ts";
import { workingIsolations } from "../../../platform/isolation/testing/working-isolations.ts";
import { codeFolders } from "../../../platform/isolation/program-files.ts";
import { silentLog } from "../../../platform/telemetry/log.ts";
import { ToolServer } from "../contract.ts";
import { createCommands } from "./commands.ts";
import { Command, Commands } from "./settings.ts";

const SCRIPT = fileURLToPath(
  new URL("../../../../test/support/command-server.mjs", import.meta.url),
);
const EVERYTHING = fileURLToPath(
  new URL(
    "../../../../node_modules/@modelcontextprotocol/server-everything/dist/index.js",
    import.meta.url,
  ),
);
const gateways = gatewaysForTests();
// not the folder of temporary files, which one test lets a program write
const mountPoint = await mkdtemp(join(tmpdir(), "parlance-command-root-"));
const isolations = await workingIsolations(mountPoint);
/** The strongest that there is here. */
const strongest = [...isolations].find(([name]) => name !== "none")?.[1] ?? notIsolated;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "parlance-command-test-"));
  // programs run as a user of their own where this one is root
  await chmod(folder, 0o777);
});
afterAll(async () => {
  await rm(folder, { recursive: true });
  await rm(mountPoint, { recursive: true });
});

function command(settings: object = {}): Command {
  return Command.parse({
    command: process.execPath,
    args: [SCRIPT],
    read: [SCRIPT, ...codeFolders()],
    ...settings,
  });
}

interface Opened {
  settings?: object;
  maxProcesses?: number;
  isolation?: typeof notIsolated;
  log?: ReturnType<typeof silentLog>;
}

/** A gateway to one command. */
async function open({
  settings = {},
  maxProcesses = 20,
  isolation = strongest,
  log = silentLog(),
}: Opened = {}) {
  const commands = createCommands({
    commands: { one: command(settings) },
    mode: "auto",
    maxProcesses,
    log,
    isolation,
  });
  const gateway = gateways.open({ outgoing: commands.outgoing, callTimeoutMs: 30_000 });
  await gateway.configure([
    ToolServer.parse({ name: "one", url: "stdio:one", trusted: true }),
  ]);
  const [session] = gateway.sessions();
  const call = async (name: string, args = {}, userId = "ann") => {
    const { signal } = new AbortController();
    const result = await gateway.call(name, args, { userId, signal });
    return String(result.content[0]?.["text"]);
  };
  return {
    gateway,
    session,
    call,
    async [Symbol.asyncDispose]() {
      await gateway[Symbol.asyncDispose]();
      await commands[Symbol.asyncDispose]();
    },
  };
}

/** Processes of this machine that run with these words. */
async function running(words: string): Promise<number> {
  const ids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const lines = ids.map((id) => readFile(`/proc/${id}/cmdline`, "utf8").catch(() => ""));
  const found = (await Promise.all(lines)).filter((line) => line.includes(words));
  return found.length;
}

test("a program on standard input and output is used as any tool server, whatever it logs there", async () => {
  await using one = await open();
  expect(one.session?.state).toBe("ready");
  expect(await one.call("count")).toBe("1");
  const told: unknown[] = [];
  await one.gateway.call(
    "slow",
    {},
    {
      userId: "ann",
      signal: new AbortController().signal,
      onNotice: (notice) => told.push(notice.params),
    },
  );
  expect(told).toMatchObject([{ progress: 1 }, { progress: 2 }, { progress: 3 }]);
});

test("each user has a process, which ends with its session and with the gateway", async () => {
  const mark = `--mark=${crypto.randomUUID()}`;
  const one = await open({ settings: { args: [SCRIPT, mark] } });
  expect(await one.call("count", {}, "ann")).toBe("1");
  expect(await one.call("count", {}, "ben")).toBe("1");
  expect(await one.call("count", {}, "ann")).toBe("2");
  expect(await running(mark)).toBeGreaterThan(0);
  await one[Symbol.asyncDispose]();
  await vi.waitFor(async () => expect(await running(mark)).toBe(0), 10_000);
});

const CALLS = Number(process.env["COMMAND_CALLS"] ?? 100);

test(`${CALLS} calls of many users leave no process, and never run more than are permitted`, async () => {
  const mark = `--mark=${crypto.randomUUID()}`;
  const one = await open({ settings: { args: [SCRIPT, mark] }, maxProcesses: 4 });
  const users = Array.from({ length: 10 }, (_, n) => `user ${n}`);
  let most = 0;
  for (let made = 0; made < CALLS; made += 4) {
    const some = users.toSorted(() => Math.random() - 0.5).slice(0, 2);
    const calls = some.map((user) => one.call("count", {}, user));
    for (const count of await Promise.all([...calls, ...calls]))
      expect(Number(count)).toBeGreaterThan(0);
    if (made % 40 === 0) most = Math.max(most, await running(mark));
  }
  // the wrappers of an isolation name the command, too
  expect(most).toBeLessThanOrEqual(6 * 5);
  await one[Symbol.asyncDispose]();
  await vi.waitFor(async () => expect(await running(mark)).toBe(0), 10_000);
}, 600_000);

test("the process of one user that ended is started again for the next call", async () => {
  await using one = await open();
  expect(await one.call("count")).toBe("1");
  expect(await one.call("leave")).toBe(
    "Its process ended before it answered (exit code 7).",
  );
  expect(await one.call("count")).toBe("1");
});

test("a program that cannot be started, or ends at once, says so where its server is listed", async () => {
  await using absent = await open({ settings: { command: "no-such-program" } });
  expect(absent.session?.failure).toMatchObject({
    code: "tool_command_failed",
    message: expect.stringContaining('there is no program "no-such-program" in PATH'),
  });
  await using failing = await open({ settings: { args: [SCRIPT, "--fail"] } });
  expect(failing.session?.failure?.message).toContain("exit code 3");
  const commands = createCommands({
    commands: {},
    mode: "auto",
    maxProcesses: 1,
    log: silentLog(),
  });
  const gateway = gateways.open({ outgoing: commands.outgoing });
  await gateway.configure([ToolServer.parse({ name: "x", url: "stdio:other" })]);
  expect(gateway.sessions()[0]?.failure).toMatchObject({ code: "tool_command_unknown" });
  await gateway[Symbol.asyncDispose]();
  await commands[Symbol.asyncDispose]();
});

test("a program that fails again and again is in the log once, with what it wrote", async () => {
  const warned: unknown[] = [];
  const log = Object.assign(silentLog(), {
    warn: (fields: unknown, words: string) =>
      words.includes("command") && warned.push(fields),
  });
  await using one = await open({ settings: { args: [SCRIPT, "--fail"] }, log });
  for (let attempt = 0; attempt < 3; attempt += 1)
    await one.session?.refresh().catch(() => {}); // it fails, which its state says
  expect(warned).toEqual([{ command: "one", how: "exit code 3", said: "KEY is missing" }]);
});

test("an answer without an end, and memory without an end, end the process alone", async () => {
  await using one = await open({ settings: { memoryMb: 300 } });
  expect(await one.call("flood")).toContain("an answer was larger than 4 MB");
  expect(await one.call("memory")).toContain("ended before it answered");
  expect(await one.call("count")).toBe("1");
});

test("nothing of this server's environment reaches a program, but what is named", async () => {
  process.env["PARLANCE_SECRET_OF_TEST"] = "hidden";
  await using one = await open({ settings: { env: { TOKEN: "given" } } });
  const seen = JSON.parse(await one.call("environment")) as Record<string, string>;
  expect(seen).toMatchObject({ TOKEN: "given", LANG: "C.UTF-8" });
  expect(JSON.stringify(seen)).not.toContain("hidden");
});

describe.each([...isolations].filter(([, { holds }]) => holds.includes("files")))(
  "in isolation by %s",
  (_, isolation) => {
    test("a program sees the system and what is named, and writes where it may", async () => {
      await using one = await open({ isolation, settings: { write: [folder] } });
      expect(await one.call("read", { path: SCRIPT })).toContain("standard input");
      expect(await one.call("read", { path: join(process.cwd(), "README.md") })).toBe(
        "ENOENT",
      );
      expect(await one.call("read", { path: "/etc/shadow" })).toBe("ENOENT");
      expect(await one.call("write", { path: "/etc/hosts" })).toMatch(/EROFS|EACCES|EPERM/);
      expect(await one.call("write", { path: "/tmp/own" })).toBe("written");
      const shared = join(folder, "shared");
      expect(await one.call("write", { path: shared })).toBe("written");
      expect(await readFile(shared, "utf8")).toBe("written");
      // the next process of the program may change it
      expect(await one.call("write", { path: shared }, "ben")).toBe("written");
      await rm(shared);
      expect(await one.call("read", { path: "/dev/null" })).toBe("");
      expect(await one.call("processes")).not.toContain("vitest");
    });

    test("it reaches the network where it may, and only there", async () => {
      const server = createServer().listen(0, "127.0.0.1");
      await once(server, "listening");
      const { port } = server.address() as AddressInfo;
      await using apart = await open({ isolation, settings: { network: false } });
      expect(await apart.call("reach", { port })).not.toBe("reached");
      await using online = await open({ isolation });
      expect(await online.call("reach", { port })).toBe("reached");
      server.close();
    });
  },
);

test("where programs cannot be isolated none is started, unless the operator permits it", async () => {
  const commands = createCommands({
    commands: { one: command() },
    mode: "required",
    maxProcesses: 1,
    log: silentLog(),
    isolation: notIsolated,
  });
  const gateway = gateways.open({ outgoing: commands.outgoing });
  await gateway.configure([ToolServer.parse({ name: "one", url: "stdio:one" })]);
  expect(gateway.sessions()[0]?.failure?.message).toContain("MCP_COMMANDS_ISOLATION=auto");
  await gateway[Symbol.asyncDispose]();
  await commands[Symbol.asyncDispose]();
});

test("server-everything of the protocol's authors works by standard input and output", async () => {
  await using one = await open({ settings: { args: [EVERYTHING, "stdio"] } });
  expect(one.session?.state).toBe("ready");
  expect(await one.call("echo", { message: "hello" })).toContain("hello");
});

test("settings are checked at the start: names, paths, unknown fields", () => {
  const read = (value: object) => Commands.safeParse(JSON.stringify(value)).success;
  expect(read({ git: { command: "git-server", args: ["-r", "/srv"] } })).toBe(true);
  expect(read({ "Git!": { command: "x" } })).toBe(false);
  expect(read({ git: { command: "x", read: ["relative"] } })).toBe(false);
  expect(read({ git: { command: "x", shell: true } })).toBe(false);
});

import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sql from "sql-template-tag";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { Database } from "../src/platform/db/database.ts";
import { diskFiles } from "../src/platform/files/disk-files.ts";
import { chooseIsolation } from "../src/platform/isolation/choose-isolation.ts";
import { lackingGuarantees } from "../src/platform/isolation/isolation.ts";
import { type Code, createCode, type RanCode } from "../src/services/core/code/code.ts";
import { BASELINE, commandEnv } from "./support/command.ts";
import { coreDatabase } from "./support/core-database.ts";

const isIsolated = lackingGuarantees(await chooseIsolation("auto", tmpdir())).length === 0;
const SERVICE_SECRET = "a-secret-between-services";
/** Generous: two processes start at once on a busy machine. */
const START_LIMIT = { timeout: 150_000, interval: 100 };

interface Sandbox {
  child: ChildProcess;
  url: string;
}

/** The sandbox in a process of its own. */
async function startSandbox(dataDir: string): Promise<Sandbox> {
  const child = spawn(process.execPath, [...BASELINE, "src/main.ts", "serve", "sandbox"], {
    env: {
      ...commandEnv(),
      LOG_LEVEL: "error",
      PORT: "0",
      INTERNAL_PORT: "0",
      DATA_DIR: dataDir,
      SERVICE_SECRET,
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let said = "";
  child.stdout?.on("data", (chunk: Buffer) => (said += chunk.toString()));
  const url = await vi.waitFor(() => {
    const ready = /is ready at (\S+)/.exec(said)?.[1];
    if (!ready) throw new Error(`not ready: ${said}`);
    return ready;
  }, START_LIMIT);
  return { child, url };
}

describe.skipIf(!isIsolated)("two processes of the sandbox and one database", () => {
  let dataDir: string;
  let db: Database;
  let code: Code;
  let sandboxes: Sandbox[] = [];
  /** Which of them the load balancer chooses, by the calls so far and the header. */
  let choose: (call: number, affinity: string) => number | Promise<number>;
  let calls = 0;
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), "parlance-sandboxes-"));
    db = await coreDatabase();
    sandboxes = await Promise.all([startSandbox(dataDir), startSandbox(dataDir)]);
    const sandbox = async (request: Request) => {
      const affinity = request.headers.get("x-platform-affinity") ?? "";
      const call = calls;
      calls += 1;
      const { url = "" } = sandboxes[await choose(call, affinity)] ?? {};
      const { pathname } = new URL(request.url);
      const { method, signal } = request;
      const headers = new Headers(request.headers);
      headers.set("x-platform-service-secret", SERVICE_SECRET);
      return fetch(url + pathname, { method, headers, signal, body: await request.text() });
    };
    code = createCode({
      db,
      files: diskFiles(join(dataDir, "files")),
      sandbox,
      describeDocuments: async () => [],
      maxBytes: 2 ** 30,
    });
  }, 200_000);
  afterAll(async () => {
    for (const { child } of sandboxes) child.kill("SIGKILL");
    await db[Symbol.asyncDispose]();
    await rm(dataDir, { recursive: true, force: true });
  });

  async function aConversation() {
    const conversationId = crypto.randomUUID();
    await db.query(sql`insert into core.conversations (id, user_id, client_id, title)
      values (${conversationId}, 'ada', 'default', 'Title')`);
    return (text: string, userId = "ada") =>
      code.run(
        { userId, conversationId, language: "javascript", code: text },
        new AbortController().signal,
      );
  }
  const printed = ({ output }: RanCode) => output.map(({ text }) => text).join("");

  test("a call at the other process begins a new session, says so, and no older one is used again", async () => {
    choose = () => 0;
    const run = await aConversation();
    const first = await run("require('fs').writeFileSync('a.txt', 'kept'); var n = 1; n");
    expect(first).toMatchObject({ isNew: true, isLost: false });
    expect(printed(await run("n += 1; n"))).toBe("2\n");
    choose = () => 1;
    const other = await run("typeof n");
    expect(printed(other)).toBe("undefined\n");
    expect(other).toMatchObject({ isNew: true, given: ["a.txt"] });
    await run("var n = 10");
    choose = () => 0;
    const back = await run("typeof n + require('fs').readFileSync('a.txt', 'utf8')");
    // its own session had n = 2
    expect(printed(back)).toBe("undefinedkept\n");
    expect(back).toMatchObject({ isNew: true, isLost: false });
    expect(await run("1")).toMatchObject({ isNew: false });
  }, 120_000);

  test("of two calls at once in two processes one goes on, and the other says that it does not", async () => {
    const run = await aConversation();
    const both = Promise.withResolvers<void>();
    let arrived = 0;
    choose = async (call) => {
      arrived += 1;
      if (arrived === 2) both.resolve();
      await both.promise;
      return call % 2;
    };
    const ran = await Promise.all([run("var a = 1"), run("var a = 1")]);
    expect(ran.map(({ isLost }) => isLost).toSorted()).toEqual([false, true]);
  }, 120_000);

  test("a load balancer that chooses by the header keeps a user's sessions in one process", async () => {
    const chosen = new Set<string>();
    choose = (_, affinity) => {
      chosen.add(affinity);
      return Number.parseInt(affinity.slice(-1), 16) % 2;
    };
    const run = await aConversation();
    await run("var n = 1");
    expect(await run("n")).toMatchObject({ isNew: false });
    expect([...chosen]).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/)]);
    await run("1", "żółw");
    expect(chosen.size).toBe(2);
  }, 120_000);
});

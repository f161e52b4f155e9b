import { type ChildProcess, spawn } from "node:child_process";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { testServerUrl } from "../src/platform/testing/database.ts";
import { held } from "./support/held.ts";
import { commandEnv } from "./support/command.ts";

/** Locks of two processes on one PostgreSQL. The second has a clock that is an hour ahead. */

const SECRET = "s".repeat(32);
const AHEAD = `data:text/javascript,${encodeURIComponent(
  "const now = Date.now; Date.now = () => now() + 3600000; globalThis.Date = class extends Date { constructor(...given) { given.length ? super(...given) : super(Date.now()); } };",
)}`;

describe.runIf(process.env["DATABASE_URL"])("two processes", () => {
  const children: ChildProcess[] = [];
  const urls: string[] = [];
  let server: Awaited<ReturnType<typeof testServerUrl>>;
  beforeAll(async () => {
    server = await testServerUrl();
    for (const clock of [[], ["--import", AHEAD]]) urls.push(await serve(clock));
  }, 60_000);
  afterAll(async () => {
    for (const child of children) child.kill("SIGKILL");
    await server?.drop();
  });

  async function serve(options: string[]): Promise<string> {
    const secrets = ["USER", "MCP", "COMPLETION"].map(
      (name) => [`${name}_SERVICE_SECRET`, SECRET] as const,
    );
    const env = {
      ...commandEnv(),
      PORT: "0",
      INTERNAL_PORT: "0",
      LOG_LEVEL: "fatal",
      DATABASE_URL: server?.url,
      SERVICE_SECRET: SECRET,
      ENCRYPTION_KEY: Buffer.alloc(32, 7).toString("base64"),
      ...Object.fromEntries(secrets),
    };
    const child = spawn(process.execPath, [...options, "src/main.ts", "serve", "users"], {
      env,
      stdio: ["ignore", "pipe", "inherit"],
    });
    children.push(child);
    let out = "";
    child.stdout?.on("data", (chunk: Buffer) => (out += chunk.toString()));
    return vi.waitFor(() => {
      const ready = /is ready at (\S+)/.exec(out)?.[1];
      if (!ready) throw new Error(`not ready: ${out}`);
      return ready;
    }, 150_000);
  }
  const ask = async (
    process_: number,
    path: string,
    body: object,
  ): Promise<{ status: number; answer: Record<string, unknown> }> => {
    const response = await fetch(`${urls[process_]}${path}`, {
      method: "POST",
      headers: {
        "x-platform-user-service-secret": SECRET,
        "content-type": "application/json",
      },
      body: JSON.stringify(body),
    });
    // the database was too busy for five seconds: repeated, as the answer advises
    if (response.status === 503) return ask(process_, path, body);
    return {
      status: response.status,
      answer: (await response.json()) as Record<string, unknown>,
    };
  };
  /** Acts as if the database's clock had advanced. */
  const pass = async (featureId: string, ms: number) => {
    const client = new pg.Client({ connectionString: server?.url ?? "" });
    await client.connect();
    await client.query(
      "update users.locks set expires_at = expires_at - $2 * interval '1 millisecond' where feature_id = $1",
      [featureId, ms],
    );
    await client.end();
  };
  const feature = async (resourceId: string) => {
    for (const userId of ["anne", "beth", "olga"])
      await ask(0, "/api/v1/users/seen", {
        userId,
        clientId: "default",
        email: `${userId}@example.org`,
        name: userId,
      });
    const owner = await ask(0, "/api/v1/features", {
      resourceType: "agent",
      resourceId,
      ownerId: "olga",
    });
    const featureId = String(owner.answer["featureId"]);
    const shares = ["anne", "beth"].map((subjectId) => ({
      subjectType: "user",
      subjectId,
      accessRole: "editor",
    }));
    await ask(0, "/api/v1/features/shares", { featureId, shares, grantedByUserId: "olga" });
    return featureId;
  };

  test("two thousand concurrent attempts, half at each process, leave one holder", async () => {
    const path = `/api/v1/features/${await feature("wanted")}/locks`;
    const users = ["anne", "beth", "olga"];
    const outcomes = await Promise.all(
      Array.from({ length: 2_000 }, (_, n) =>
        ask(n % 2, path, { userId: users[n % users.length] ?? "" }),
      ),
    );
    const taken = outcomes.filter(({ status }) => status !== 423);
    expect(taken.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(
      new Set(
        taken.map(({ answer }) => `${String(answer["userId"])} ${String(answer["token"])}`),
      ).size,
    ).toBe(1);
    expect(outcomes.every(({ status }) => [200, 201, 423].includes(status))).toBe(true);
  }, 120_000);

  test("a process whose clock is ahead neither takes a held lock nor keeps an expired one", async () => {
    const path = `/api/v1/features/${await feature("timed")}/locks`;
    const { answer: first } = await ask(0, path, { userId: "anne" });
    expect((await ask(1, path, { userId: "beth" })).status).toBe(423);
    await pass(String(first["featureId"]), 301_000);
    const { status, answer: second } = await ask(1, path, { userId: "beth" });
    expect(status).toBe(201);
    expect(Number(second["token"])).toBeGreaterThan(Number(first["token"]));
    // the time is the database's, not the process's
    expect(Math.abs(Date.parse(String(second["acquiredAt"])) - Date.now())).toBeLessThan(
      1_800_000,
    );
    expect((await ask(0, path, { userId: "anne" })).status).toBe(423);
    held("clocks");
  }, 60_000);
});

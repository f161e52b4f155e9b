import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { freePort } from "./support/free-port.ts";
import { ADMIN } from "./support/server.ts";
import { ended, spawnServer } from "./support/spawned-server.ts";
import { BASELINE, commandEnv } from "./support/command.ts";

const administrator = {
  PARLANCE_ADMIN_EMAIL: ADMIN.email,
  PARLANCE_ADMIN_PASSWORD: ADMIN.password,
};
let dataDir: string;
let env: Record<string, string>;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "parlance-doctor-"));
  env = {
    PORT: String(await freePort()),
    // the port next to it may be another test's
    INTERNAL_PORT: String(await freePort()),
    DATA_DIR: dataDir,
    OPENAI_API_KEY: "k",
    // no server listens there
    OPENAI_BASE_URL: `http://127.0.0.1:${await freePort()}/v1`,
    OUTGOING_ALLOW: "127.0.0.0/8",
  };
});
afterAll(() => rm(dataDir, { recursive: true, force: true }));

async function doctor(
  more: Record<string, string> = {},
): Promise<{ status: number | null; said: string }> {
  const child = spawn(process.execPath, [...BASELINE, "src/main.ts", "doctor"], {
    env: { ...commandEnv(), ...env, ...more },
  });
  let said = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => (said += chunk.toString()));
  return { status: await ended(child), said };
}

test("without a running server it starts one, checks every part and model provider, and gives advice", async () => {
  const { status, said } = await doctor(administrator);
  expect(said).toContain("✓ configuration");
  expect(said).toMatch(/✓ database/);
  expect(said).toMatch(
    /✓ parser_isolation .* – Processes that read files \(isolation: [\w-]+\)/,
  );
  expect(said).toMatch(/! model provider openai .*Check its key and address/);
  expect(status).toBe(0);
  const wrong = await doctor({ PORT: "many" });
  expect(wrong).toMatchObject({
    status: 1,
    said: expect.stringMatching(/✗ configuration[^]*PORT: /),
  });
});

test("asks a running server for its parts, and for its providers when called by an administrator", async () => {
  const parlance = await spawnServer(env);
  try {
    expect((await doctor()).said).toMatch(
      /✓ configuration[^]*! model providers .*not checked[^]*PARLANCE_ADMIN_PASSWORD/,
    );
    const { said } = await doctor(administrator);
    expect(said).toMatch(/✓ database/);
    expect(said).toMatch(/! model provider openai .*Check its key and address/);
  } finally {
    await parlance.kill();
  }
});

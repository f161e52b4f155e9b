import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startTestServer } from "../support/server.ts";
import { tryPythonClient, writeDocument } from "./python-client.ts";
import { run } from "./trial.ts";

/**
 * Makes a client in Python of the OpenAPI document and uses it with a server. Needs PyPI once, and
 * Python 3.10 or newer. Ends with status 1 when something fails or the generator warns.
 */

const VERSION = "0.29.1";
const INSTALL_MS = 300_000;

const services = process.env["PARLANCE_SERVICES_DIR"] ?? join(process.cwd(), ".services");
const programs = join(services, `openapi-python-client-${VERSION}`, "bin");
if (!existsSync(join(programs, "openapi-python-client"))) {
  await run("python3", ["-m", "venv", join(programs, "..")]);
  const given = ["install", "--quiet", `openapi-python-client==${VERSION}`];
  await run(join(programs, "pip"), given, { timeoutMs: INSTALL_MS });
}
const folder = await mkdtemp(join(tmpdir(), "parlance-python-client-"));
try {
  await using parlance = await startTestServer();
  const made = await parlance.request("/api/v1/auth/api-keys", {
    body: { name: "python" },
  });
  const { key } = (await made.json()) as { key: string };
  const results = await tryPythonClient(
    await writeDocument(folder, parlance),
    programs,
    parlance,
    key,
  );
  for (const { client, what, failure } of results)
    console.log(`${client}: ${what}: ${failure ?? "works"}`);
  if (results.length === 0 || results.some(({ failure }) => failure)) process.exitCode = 1;
} finally {
  await rm(folder, { recursive: true, force: true });
}

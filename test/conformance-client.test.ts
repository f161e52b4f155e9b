import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";

const VERSION = "2026-07-28";
/** Those that the version requires of a client without a sign-in. */
const SCENARIOS = [
  "tools_call",
  "request-metadata",
  "sep-2322-client-request-state",
  "http-standard-headers",
  "http-custom-headers",
  "http-invalid-tool-headers",
  "json-schema-ref-no-deref",
];

const fileAt = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const suite = fileAt("../node_modules/@modelcontextprotocol/conformance/dist/index.js");
const client = fileAt("./support/conformance-client.ts");

/** The suite writes its findings into the folder that it runs in. */
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "conformance-client-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test.concurrent.each(SCENARIOS)(
  "the gateway as a client passes the conformance suite's %s",
  async (scenario) => {
    const { code, said } = await new Promise<{ code: number; said: string }>((resolve) => {
      const command = `${process.execPath} ${client}`;
      const asked = ["--command", command, "--scenario", scenario];
      const limits = ["--spec-version", VERSION, "--timeout", "90000"];
      const child = execFile(
        process.execPath,
        [suite, "client", ...asked, ...limits],
        { cwd: folder },
        (_, out, errors) => resolve({ code: child.exitCode ?? -1, said: out + errors }),
      );
    });
    expect(code, said).toBe(0);
    expect(said).toMatch(/passed/i);
  },
);

import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startConformanceClient } from "./support/conformance-client.ts";

const SIGN_IN = [
  "metadata-default",
  "metadata-var1",
  "metadata-var2",
  "metadata-var3",
  "basic-cimd",
  "scope-from-www-authenticate",
  "scope-from-scopes-supported",
  "scope-omitted-when-undefined",
  "scope-step-up",
  "scope-retry-limit",
  "token-endpoint-auth-basic",
  "token-endpoint-auth-post",
  "token-endpoint-auth-none",
  "pre-registration",
].map((name) => `auth/${name}`);
/** Those that each version requires of a client. */
const SCENARIOS: Record<string, readonly string[]> = {
  "2025-11-25": [
    "initialize",
    "tools_call",
    "elicitation-sep1034-client-defaults",
    "sse-retry",
    ...SIGN_IN,
  ],
  "2026-07-28": [
    "tools_call",
    "request-metadata",
    "sep-2322-client-request-state",
    "http-standard-headers",
    "http-custom-headers",
    "http-invalid-tool-headers",
    "json-schema-ref-no-deref",
    ...SIGN_IN,
    "auth/resource-mismatch",
    "auth/offline-access-scope",
    "auth/offline-access-not-supported",
    "auth/authorization-server-migration",
    "auth/iss-supported",
    "auth/iss-not-advertised",
    "auth/iss-supported-missing",
    "auth/iss-wrong-issuer",
    "auth/iss-unexpected",
    "auth/iss-normalized",
    "auth/metadata-issuer-mismatch",
  ],
};
const CASES = Object.entries(SCENARIOS).flatMap(([version, scenarios]) =>
  scenarios.map((scenario) => [scenario, version] as const),
);

const fileAt = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const suite = fileAt("../node_modules/@modelcontextprotocol/conformance/dist/index.js");
const program = fileAt("./support/conformance-client.mjs");

/** The suite writes its findings into the folder that it runs in. */
let folder: string;
let client: Awaited<ReturnType<typeof startConformanceClient>>;
beforeAll(async () => {
  client = await startConformanceClient();
  folder = await mkdtemp(join(tmpdir(), "conformance-client-"));
});
afterAll(async () => {
  await client[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

test.concurrent.each(CASES)(
  "the gateway as a client passes the conformance suite's %s of %s",
  async (scenario, version) => {
    const { code, said } = await new Promise<{ code: number; said: string }>((resolve) => {
      const command = `${process.execPath} ${program} ${client.url}`;
      const asked = ["--command", command, "--scenario", scenario];
      const limits = ["--spec-version", version, "--timeout", "90000"];
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

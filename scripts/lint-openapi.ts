import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { describeApi } from "../src/server/load-contracts.ts";

/**
 * Writes the OpenAPI document of all services and lets redocly and spectral judge it, each by the
 * rules that it recommends. It needs npm's registry. Ends with status 1 when one finds anything.
 */

const REDOCLY = "@redocly/cli@2.77.0";
const SPECTRAL = "@stoplight/spectral-cli@6.16.3";
/**
 * `/documents/folders/{id}` beside `/documents/{id}/stop` is ambiguous to redocly, which does not
 * know that `folders` is no id.
 */
const REDOCLY_RULES = "extends: [recommended]\nrules:\n  no-ambiguous-paths: off\n";
const SPECTRAL_RULES = 'extends: ["spectral:oas"]\n';
const run = promisify(execFile);

process.exitCode = (await lint(JSON.stringify(await describeApi()))) ? 0 : 1;

async function lint(document: string): Promise<boolean> {
  const folder = await mkdtemp(join(tmpdir(), "parlance-openapi-"));
  try {
    await writeFile(join(folder, "openapi.json"), document);
    await writeFile(join(folder, "redocly.yaml"), REDOCLY_RULES);
    await writeFile(join(folder, ".spectral.yaml"), SPECTRAL_RULES);
    const redocly = await judge(folder, [REDOCLY, "lint", "openapi.json"]);
    const spectral = await judge(folder, [
      SPECTRAL,
      "lint",
      "openapi.json",
      "--fail-severity=hint",
    ]);
    return redocly && spectral;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** @returns whether a linter found nothing, not even what is worth a warning. */
async function judge(folder: string, given: string[]): Promise<boolean> {
  const options = { cwd: folder, maxBuffer: 2 ** 26 };
  try {
    const { stdout, stderr } = await run("npx", ["--yes", ...given], options);
    const said = stdout + stderr;
    console.log(said.trim());
    return !/\b[1-9]\d* (?:warnings?|errors?)\b/.test(said);
  } catch (error) {
    const { stdout = "", stderr = "" } = error as { stdout?: string; stderr?: string };
    console.log(`${stdout}${stderr}`.trim() || String(error));
    return false;
  }
}

import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SecurityPromise } from "../test/security/promise.ts";
import { listPromises } from "../test/security/promises.ts";
import { readArguments, refuseArguments } from "./read-arguments.ts";

const USAGE = `Usage: npm run security [-- <promises…>]

Runs the tests behind the promises of docs/security.md, all or those of the keys, and prints how
many cases of each held. Ends with 1 when a test fails or a promise is below its count.
SECURITY_FULL=1 runs the full counts, which takes hours.

  --help  print this, and the keys`;

const keys = listPromises().map(([key]) => key);
const isFull = process.env["SECURITY_FULL"] === "1";
const FULL_COUNTS = {
  ACCESS_GRAPHS: "20000",
  STALE_READS: "10000",
  CROSS_TALK_CALLS: "20000",
  RETRIEVAL_QUERIES: "5000",
  FAULT_KILLS: "100",
  FAULT_REQUESTS: "200000",
  FAULT_DOCUMENTS: "1000",
  MANY_STREAMS: "500",
  LARGE_UPLOADS: "20",
  LONG_RUN_MINUTES: "120",
  FULL_DISKS: "20",
  POWER_CUTS: "3",
};
/** Slow tests run only here. */
const SHORT_COUNTS = { LARGE_UPLOADS: "4", LONG_RUN_MINUTES: "1" };
const BROWSER_TESTS = "test/security/rendered.test.ts";

/** @returns the setting that lets tests use a browser, if the machine has one. */
function browserSetting(files: readonly string[]): { CHROMIUM_PATH?: string } {
  if (!files.includes(BROWSER_TESTS)) return {};
  try {
    return { CHROMIUM_PATH: execFileSync("scripts/chromium", { encoding: "utf8" }).trim() };
  } catch {
    return {}; // the script has said why; the promises are "not shown"
  }
}

type State = "ok" | "short" | "below" | "not shown";

function stateOf(
  { minimum, short = minimum, missing }: SecurityPromise,
  count: number,
): State {
  if (count >= minimum) return "ok";
  if (!isFull && count >= short) return "short";
  return count === 0 && missing ? "not shown" : "below";
}

const { positionals: asked } = readArguments(`${USAGE}\n\nKeys: ${keys.join(", ")}`, {
  allowPositionals: true,
});
const chosen = listPromises().filter(([key]) => asked.length === 0 || asked.includes(key));
const unknown = asked.filter((key) => !chosen.some(([known]) => known === key));
if (unknown.length > 0)
  refuseArguments(
    `There is no promise ${unknown.join(", ")}. There are: ${keys.join(", ")}.`,
    USAGE,
  );
const files = [...new Set(chosen.flatMap(([, { files }]) => files))];
const folder = mkdtempSync(join(tmpdir(), "parlance-security-"));
const report = join(folder, "held");
const vitest = ["node_modules/vitest/vitest.mjs", "run", "--maxWorkers=1", ...files];
const tests =
  files.length === 0
    ? { status: 0 }
    : spawnSync(process.execPath, vitest, {
        stdio: "inherit",
        env: {
          ...(isFull ? FULL_COUNTS : SHORT_COUNTS),
          ...browserSetting(files),
          ...process.env,
          SECURITY_REPORT: report,
        },
      });

const held = new Map<string, number>();
for (const line of existsSync(report) ? readFileSync(report, "utf8").split("\n") : []) {
  const [key = "", count] = line.split(" ");
  held.set(key, (held.get(key) ?? 0) + Number(count ?? 0));
}
rmSync(folder, { recursive: true });

const states = chosen.map(([key, promise]) => stateOf(promise, held.get(key) ?? 0));
for (const [index, [key, promise]] of chosen.entries()) {
  const state = states[index] ?? "below";
  const count = `${held.get(key) ?? 0} of ${promise.minimum} ${promise.unit}`;
  const reason = state === "not shown" ? `: ${promise.missing}` : "";
  console.log(`${state.padEnd(9)}  ${key.padEnd(20)}  ${count}${reason}`);
  console.log(`${" ".repeat(11)}${promise.promise}.`);
}
const sum = (state: State) => `${states.filter((one) => one === state).length} ${state}`;
const sums = (["ok", "short", "below", "not shown"] as const).map(sum).join(", ");
console.log(
  `\n${chosen.length} promises: ${sums}; tests ${tests.status === 0 ? "passed" : "failed"}`,
);
process.exit(tests.status === 0 && !states.includes("below") ? 0 : 1);

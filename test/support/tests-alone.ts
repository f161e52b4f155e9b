import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "../..");

/** What changes a process or its modules for those who come later, or measures the process. */
const NEEDS_OWN_PROCESS = [
  /\bvi\.(mock|doMock|resetModules|useFakeTimers|stub\w+)\b/,
  /\bprocess\.env(\.\w+|\[[^\]]+\])\s*(\?\?)?=[^=]|\bdelete process\.env/,
  /\bprocess\.(memoryUsage|cpuUsage|getActiveResourcesInfo)\b|\bgc\(/,
  /\bconfigureGlobal\b/,
];

/**
 * The tests that need a process of their own. The others share one for each worker, which reads
 * the modules of the server once and not for every file.
 */
export function testsAlone(patterns: readonly string[]): string[] {
  return globSync([...patterns], { cwd: ROOT }).filter((file) => {
    const text = readFileSync(join(ROOT, file), "utf8");
    return NEEDS_OWN_PROCESS.some((pattern) => pattern.test(text));
  });
}

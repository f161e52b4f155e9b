import { globSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";

const ROOT = join(import.meta.dirname, "../..");
const IMPORT = /(?:from|import)\s*\(?\s*["'](\.[^"']+)["']/g;
/** They are gone when a test runs. */
const TYPES = /^(?:import|export) type [^;]*;$/gm;
/** What tests are made with, and they themselves. */
const SUPPORT = /(^|\/)(testing|test)\/|\.test\.ts$/;
const SERVERS = /DATABASE_URL|AMQP_URL|REDIS_URL/;

/**
 * The tests that ask no database, broker or cache, neither in their own process nor in one that
 * they start: a second run of them on real servers would be the first one again.
 */
export function testsWithoutServers(patterns: readonly string[]): string[] {
  const tests = globSync([...patterns], { cwd: ROOT });
  return tests.filter((file) => !reachesServers(file, new Set()));
}

/** Whether a file, or one that it imports, lets a test choose its servers. */
function reachesServers(file: string, seen: Set<string>): boolean {
  if (seen.has(file)) return false;
  seen.add(file);
  const { text, imports } = read(file);
  if (SUPPORT.test(file) && SERVERS.test(text)) return true;
  return imports.some((path) => reachesServers(path, seen));
}

const files = new Map<string, { text: string; imports: string[] }>();

function read(file: string) {
  const known = files.get(file);
  if (known) return known;
  const text = readText(file);
  const imports = [...text.replace(TYPES, "").matchAll(IMPORT)].map(([, path = ""]) =>
    normalize(join(dirname(file), path)),
  );
  const found = { text, imports };
  files.set(file, found);
  return found;
}

function readText(file: string): string {
  try {
    return readFileSync(join(ROOT, file), "utf8");
  } catch {
    return ""; // a folder, or what is made later
  }
}

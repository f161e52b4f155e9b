import { createHash } from "node:crypto";
import { existsSync, globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { spawnSync } from "node:child_process";
import { readArguments } from "./read-arguments.ts";

const USAGE = `Usage: npm run build:web [-- --if-stale]

Builds the web app into web/dist.

  --if-stale  build only if the sources have changed since the last build; a failed build ends
              with 0, so that the server starts without the web app
  --help      print this`;

const VITE = "node_modules/vite/bin/vite.js";
const STAMP = "web/dist/.source-hash";
/** What the build depends on: the app, the contracts, and the libraries. */
const SOURCES = ["web/**/*", "src/**/contract*.ts", "package-lock.json"];
const IGNORED = /^web\/(?:dist|test|node_modules)(?:\/|$)|(?:^|\/)node_modules\//;

const root = join(import.meta.dirname, "..");
process.chdir(root);

const { "if-stale": ifStale } = readArguments(USAGE, {
  options: { "if-stale": { type: "boolean", default: false } },
}).values;
if (!existsSync("web/vite.config.ts")) process.exit(0);
const hash = hashSources();
if (ifStale && readStamp() === hash) process.exit(0);
process.exit(build() || ifStale ? 0 : 1);

function build(): boolean {
  if (!existsSync(VITE)) {
    console.error("The web app cannot be built without its tools. Run: npm ci");
    return false;
  }
  process.stderr.write("Building the web app … ");
  const startedAt = performance.now();
  // the frames first: a server reads the files when index.html appears
  for (const config of ["vite.frames.config.ts", "vite.config.ts"]) {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [VITE, "build", "web", "--config", `web/${config}`, "--logLevel", "warn"],
      { encoding: "utf8" },
    );
    if (status !== 0) {
      console.error(`failed:\n${stdout}${stderr}`);
      return false;
    }
  }
  console.error(`${((performance.now() - startedAt) / 1_000).toFixed(1)} s`);
  writeFileSync(STAMP, hash);
  return true;
}

function hashSources(): string {
  const files = globSync(SOURCES, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).replace(`${root}/`, ""))
    .filter((path) => !IGNORED.test(path))
    .sort();
  const sum = createHash("sha256");
  for (const path of files)
    sum.update(path).update("\0").update(readFileSync(path)).update("\0");
  return sum.digest("hex");
}

function readStamp(): string {
  return existsSync(STAMP) ? readFileSync(STAMP, "utf8") : "";
}

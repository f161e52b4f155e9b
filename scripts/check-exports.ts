import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/**
 * Finds what a module exports and no other imports: it is dead, or needs no `export`. Tests,
 * benches and scripts count as importers. Prints each and exits with 1.
 */

/** What programs outside of this repository import. */
const ENTRY =
  /^packages\/(?:client\/src\/create-client|to-markdown\/src\/to-markdown)\.ts$/;

const SOURCES = "{ts,tsx,mts,mjs}";
const modules = [
  ...globSync(`src/**/*.${SOURCES}`),
  ...globSync(`packages/*/src/**/*.${SOURCES}`),
  ...globSync(`web/src/**/*.${SOURCES}`),
];
const others = ["test", "bench", "scripts", "web/test", "packages/*/{bench,test}"].flatMap(
  (folder) => globSync(`${folder}/**/*.${SOURCES}`),
);
const configs = globSync(["*.ts", "web/*.ts", "packages/*/*.ts"]);

/** By file, the names that are imported from it; `*` is all of them. */
const imported = new Map<string, Set<string>>();
for (const file of [...modules, ...others, ...configs]) readImports(file);

const unused = modules
  .filter((file) => !isTest(file) && !ENTRY.test(file))
  .flatMap((file) => {
    const names = imported.get(file);
    if (names?.has("*")) return [];
    return namesExported(file)
      .filter((name) => !names?.has(name) && !namesClientType(file, name))
      .map((name) => `${file}: ${name}`);
  });

for (const line of unused)
  console.error(`${line} is exported, and no other module imports it`);
console.log(`${modules.length} modules, ${unused.length} unused exports`);
process.exit(unused.length > 0 ? 1 : 0);

/** The schemas of contracts name the types of packages/client (`npm run client-types`). */
function namesClientType(file: string, name: string): boolean {
  return /\/contract[^/]*\.ts$/.test(file) && /^[A-Z][a-z]/.test(name);
}

function isTest(file: string): boolean {
  return /\.(?:test|walk)\.tsx?$/.test(file) || file.includes("/testing/");
}

/**
 * Every file is formatted, so a declaration that is exported begins a line. A type that its own
 * file uses says what an exported function takes or gives: its callers need not import it.
 */
function namesExported(file: string): string[] {
  const text = readFileSync(file, "utf8");
  const declared = text.matchAll(
    /^export (?:declare )?(?:async |abstract )?(function\*?|class|const|let|interface|type|enum) ([\w$]+)/gm,
  );
  const found = [...declared].map(([, kind = "", name = ""]) => ({ kind, name }));
  const values = found.filter(({ kind }) => kind !== "interface" && kind !== "type");
  const types = found.filter(
    ({ name }) =>
      !values.some((value) => value.name === name) &&
      [...text.matchAll(/[\w$]+/g)].filter(([word]) => word === name).length === 1,
  );
  return [...values, ...types].map(({ name }) => name);
}

/** An import statement begins a line, too, and ends with its quoted source. */
function readImports(file: string): void {
  const text = readFileSync(file, "utf8");
  const add = (source: string, names: readonly string[]) => {
    const path = pathOf(file, source);
    if (path === undefined) return;
    const known = imported.get(path) ?? new Set();
    imported.set(path, known);
    for (const name of names) known.add(name);
  };
  for (const [, clause = "", source = ""] of text.matchAll(
    /^(?:import|export) ([^;"]*?)from "([^"]+)"/gm,
  ))
    add(source, clause.includes("*") ? ["*"] : namesIn(clause));
  // a module or a member of it, loaded or named where it is needed
  for (const [, source = "", member] of text.matchAll(
    /\bimport\(\s*"([^"]+)",?\s*\)(?:\.(\w+))?/g,
  ))
    add(source, [member === undefined || member === "then" ? "*" : member]);
}

/** The packages of this repository are imported by their names. */
function pathOf(file: string, source: string): string | undefined {
  if (source.startsWith(".")) return join(dirname(file), source);
  const [, name, path] = /^@parlance\/([^/]+)\/(.+)$/.exec(source) ?? [];
  return path && `packages/${name}/src/${path}`;
}

/** The names in `{ a, type b, c as d }`. */
function namesIn(clause: string): string[] {
  const [, inner = ""] = /\{([^}]*)\}/.exec(clause) ?? [];
  return inner
    .split(",")
    .map(
      (name) =>
        name
          .trim()
          .replace(/^type /, "")
          .split(" as ")[0] ?? "",
    )
    .filter((name) => name !== "");
}

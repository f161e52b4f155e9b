import { readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Checks package-lock.json against security-floors.json (versions with known vulnerabilities are
 * refused), against the permitted licences, and against the list of packages that may run a script
 * at install. It replaces an audit where the registry cannot be reached.
 */

interface Locked {
  version: string;
  dev?: boolean;
  license?: string;
  hasInstallScript?: boolean;
  optional?: boolean;
}

const LICENCES = [
  "MIT",
  "Apache-2.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "ISC",
  "MPL-2.0",
  "0BSD",
  "BlueOak-1.0.0",
  "Unlicense",
  "CC0-1.0",
  "Python-2.0",
  "PSF-2.0",
  "PostgreSQL",
  "Zlib",
  "OFL-1.1", // of fonts, which it lets anybody ship with anything
];
const INSTALL_SCRIPTS = ["node"];

const read = (file: string) => JSON.parse(readFileSync(file, "utf8")) as unknown;
const { packages } = read("package-lock.json") as { packages: Record<string, Locked> }; // npm's own form, lockfileVersion 3
const floors = read("security-floors.json") as Record<
  string,
  { minimum: string; reason: string }
>; // the file beside it
const wrong: string[] = [];

for (const [path, locked] of Object.entries(packages)) {
  if (path === "") continue;
  const name = path.split("node_modules/").at(-1) ?? path;
  const floor = floors[name];
  if (floor && isBelow(locked.version, floor.minimum))
    wrong.push(`${name} ${locked.version} is below ${floor.minimum}: ${floor.reason}`);
  if (!locked.dev && !mayShip(licenceOf(path, locked)))
    wrong.push(`${name}: the licence "${licenceOf(path, locked)}" may not be shipped`);
  if (!locked.dev && locked.hasInstallScript && !INSTALL_SCRIPTS.includes(name))
    wrong.push(`${name} runs a script at install and is not on the list`);
}
for (const name of Object.keys(floors)) {
  if (!Object.keys(packages).some((path) => path.endsWith(`node_modules/${name}`)))
    wrong.push(`security-floors.json names ${name}, which is not installed`);
}

for (const line of wrong) console.error(line);
console.log(`${Object.keys(packages).length - 1} packages, ${wrong.length} wrong`);
process.exit(wrong.length > 0 ? 1 : 0);

function licenceOf(path: string, { license }: Locked): string {
  if (license) return license;
  try {
    const { license: stated, licenses } = read(join(path, "package.json")) as {
      license?: string;
      licenses?: { type: string }[];
    }; // a package's manifest
    // `licenses` is the form of old manifests, any of which may be chosen; a few packages name
    // their licence only in a file
    return (
      stated ??
      licenses?.map(({ type }) => type).join(" OR ") ??
      (/^\s*(?:The )?MIT License/.test(readFileSync(join(path, "LICENSE"), "utf8"))
        ? "MIT"
        : "unknown")
    );
  } catch {
    return "optional and not installed here";
  }
}

/** `A OR B` needs one of them, `A AND B` each. */
function mayShip(licence: string): boolean {
  if (licence.startsWith("optional")) return true;
  const bare = licence.replace(/[()]/g, "");
  return bare
    .split(" OR ")
    .some((choice) => choice.split(" AND ").every((one) => LICENCES.includes(one.trim())));
}

function isBelow(version: string, minimum: string): boolean {
  const [a, b] = [version, minimum].map((text) =>
    (text.split("-")[0] ?? "").split(".").map(Number),
  );
  for (let index = 0; index < 3; index += 1) {
    const difference = (a?.[index] ?? 0) - (b?.[index] ?? 0);
    if (difference !== 0) return difference < 0;
  }
  return false;
}

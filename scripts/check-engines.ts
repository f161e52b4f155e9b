import { readFileSync } from "node:fs";
import { readArguments } from "./read-arguments.ts";

const USAGE = `Usage: node scripts/check-engines.ts [<lockfile>]

Checks that every package in the lock file, package-lock.json by default, supports the oldest Node
that package.json names, so that npm ci gives no warning there. Prints those that do not, and ends
with 1 when there are any.

  --help  print this`;

type Version = [number, number, number];
interface Locked {
  version: string;
  optional?: boolean;
  engines?: { node?: string };
}

const { positionals } = readArguments(USAGE, { allowPositionals: true });
const [file = "package-lock.json"] = positionals;
const lock = JSON.parse(readFileSync(file, "utf8")) as { packages: Record<string, Locked> };
const { "": root, ...packages } = lock.packages;
const ours = root?.engines?.node ?? "";
const oldest = alternatives(ours).map((range) => toVersion(range[0] ?? ""));

const wrong = Object.entries(packages).flatMap(([path, { version, optional, engines }]) => {
  const range = engines?.node;
  if (optional || range === undefined) return [];
  const refused = oldest
    .filter((node) => !accepts(range, node))
    .map((node) => node.join("."));
  const name = path.split("node_modules/").at(-1);
  return refused.length > 0
    ? [`${name} ${version} does not run on Node ${refused}: ${range}`]
    : [];
});

for (const line of wrong) console.error(line);
console.log(
  `${Object.keys(packages).length} packages, ${wrong.length} that need another Node`,
);
process.exit(oldest.length === 0 || wrong.length > 0 ? 1 : 0);

/** Returns the comparators of each alternative of a range. */
function alternatives(range: string): string[][] {
  return range
    .replace(/([<>=^~]+)\s+/g, "$1")
    .split("||")
    .map((one) => one.trim().split(/\s+/));
}

function accepts(range: string, node: Version): boolean {
  return alternatives(range).some((all) =>
    all.every((comparator) => fits(comparator, node)),
  );
}

function fits(comparator: string, node: Version): boolean {
  const [, operator = "", rest = ""] = /^([<>=^~]*)v?(.*)$/.exec(comparator) ?? [];
  if (rest === "" || rest === "*") return true;
  const order = compare(node, toVersion(rest));
  const sameMajor = node[0] === toVersion(rest)[0];
  switch (operator) {
    case ">=":
      return order >= 0;
    case ">":
      return order > 0;
    case "<":
      return order < 0;
    case "<=":
      return order <= 0;
    case "^":
      return order >= 0 && sameMajor;
    case "~":
      return order >= 0 && sameMajor && node[1] === toVersion(rest)[1];
    default:
      // a partial version stands for all versions that begin with it
      return rest.split(".").every((part, at) => part === "x" || Number(part) === node[at]);
  }
}

function toVersion(text: string): Version {
  const [major = 0, minor = 0, patch = 0] = text
    .replace(/^[<>=^~v]+/, "")
    .split(".")
    .map((part) => Number.parseInt(part, 10) || 0);
  return [major, minor, patch];
}

function compare(one: Version, other: Version): number {
  return one[0] - other[0] || one[1] - other[1] || one[2] - other[2];
}

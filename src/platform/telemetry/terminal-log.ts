import { inspect } from "node:util";

/** Fields that every line has, or that say nothing to a person at a terminal. */
const LEFT_OUT = new Set([
  "level",
  "time",
  "name",
  "service",
  "msg",
  "pid",
  "hostname",
  "atStart",
]);
const MAX_VALUE_CHARACTERS = 500;

/**
 * Writes log lines for a person at a terminal, in place of JSON. Migrations, of which a first start
 * makes many, become one line. What parts report of themselves at every start (`atStart`) is left
 * out unless something is wrong: the address and the password would stand among it.
 */
export function writesForPeople(print: (text: string) => void): (line: string) => void {
  let migrations = 0;
  return (line) => {
    const entry = readEntry(line);
    if (!entry) return print(line);
    if (entry["msg"] === "migrated") {
      migrations += 1;
      if (migrations === 1) print("Preparing the database …\n");
      return undefined;
    }
    const { level, time, service, msg } = entry;
    if (entry["atStart"] === true && level === "info") return undefined;
    const rest = Object.entries(entry).filter(([key]) => !LEFT_OUT.has(key));
    const clock = String(time).slice(11, 19);
    const about = typeof service === "string" ? `${service}: ` : "";
    const fields = rest.map(([key, value]) => ` ${key}=${show(value)}`).join("");
    return print(`${clock} ${String(level)} ${about}${String(msg ?? "")}${fields}\n`);
  };
}

function readEntry(line: string): Record<string, unknown> | undefined {
  try {
    const entry: unknown = JSON.parse(line);
    return typeof entry === "object" && entry !== null
      ? (entry as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined; // a line that is no entry stays as it is
  }
}

function show(value: unknown): string {
  const text =
    typeof value === "string" ? value : inspect(value, { depth: 4, breakLength: Infinity });
  return text.slice(0, MAX_VALUE_CHARACTERS);
}

import { Sql } from "sql-template-tag";
import type { Database } from "../../src/platform/db/database.ts";

/**
 * Defences that a test may switch off, to check that the matrix detects it: decisions on shares,
 * filters by owner and organisation in statements, the administrator's role, authentication, and
 * the public listener. `matrix.test.ts` replaces the modules that contain them. All are on by
 * default.
 */
export const off = {
  decision: false,
  filters: false,
  roles: false,
  identity: false,
  listener: false,
};
export type Defence = keyof typeof off;
/**
 * Switches of which at least one must matter to every row that names none; some rows have two
 * defences.
 */
export const DEFENCES = [
  ["decision"],
  ["filters"],
  ["roles"],
  ["decision", "filters"],
] as const satisfies Defence[][];

export async function without<Result>(
  defences: readonly Defence[],
  work: () => Promise<Result>,
): Promise<Result> {
  for (const defence of defences) off[defence] = true;
  try {
    return await work();
  } finally {
    for (const defence of defences) off[defence] = false;
  }
}

/** `user_id = ` at the end of a piece of SQL, except in an assignment. */
const FILTER = /(?<!\bset\s+(?:\w+\.)?)(?:\w+\.)?\b(?:user_id|owner_id|client_id)\s*=\s*$/;

/**
 * Returns the statement without its filters by owner: each such condition is true for every row,
 * and its value stays bound.
 */
function withoutFilters(statement: Sql): Sql {
  if (/^\s*insert\b/.test(statement.strings[0] ?? "")) return statement;
  const strings = [...statement.strings];
  for (let at = 0; at < strings.length - 1; at += 1) {
    const before = strings[at] ?? "";
    if (!FILTER.test(before)) continue;
    strings[at] = before.replace(FILTER, "(true or ");
    strings[at + 1] = (strings[at + 1] ?? "").replace(/^(?:::\w+)?/, "::text is null)");
  }
  return new Sql(strings, statement.values);
}

export function switchable(db: Database): Database {
  return new Proxy(db, {
    get(target, name) {
      if (name === "query")
        return (statement: Sql) =>
          target.query(off.filters ? withoutFilters(statement) : statement);
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? (value.bind(target) as unknown) : value; // private fields want their own object
    },
  });
}

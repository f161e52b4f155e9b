import { Sql } from "sql-template-tag";
import type { Database } from "../../src/platform/db/database.ts";

/**
 * Defences that a test may switch off, to see that the matrix would notice: the decision on shares,
 * the owner's and the organisation's filter in statements, the role of an administrator, who one
 * is, and the public listener itself. Modules that hold them are replaced in `matrix.test.ts`; all
 * are on unless said.
 */
export const off = {
  decision: false,
  filters: false,
  roles: false,
  identity: false,
  listener: false,
};
export type Defence = keyof typeof off;
/** Those of which one must matter to every row that names none; some rows are behind two. */
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

/** `user_id = ` at the end of a piece of SQL, but for an assignment. */
const FILTER = /(?<!\bset\s+(?:\w+\.)?)(?:\w+\.)?\b(?:user_id|owner_id|client_id)\s*=\s*$/;

/**
 * The statement without its filters on whose a row is: each such condition holds for every row, and
 * its value stays bound.
 */
export function withoutFilters(statement: Sql): Sql {
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

import type { DuckDBConnection } from "@duckdb/node-api";
import { BadRequest } from "../../../platform/http/errors.ts";

/** What a query reads, as DuckDB itself parses it. */
export interface Select {
  /** The names of the tables that it reads. */
  tables: string[];
  /** The query for the rows that its sums and counts are made from; absent where it has none. */
  behind?: string | undefined;
}

type Node = Record<string, unknown>;

/** They read files, show the process, or run SQL that stands in a text. */
const REFUSED =
  /^(?:read_|parquet_|sniff_csv$|glob$|duckdb_|pragma_|pg_|sqlite_|query$|query_table$|getvariable$)/i;

/**
 * Reads a query that is one SELECT.
 * @param known the names of the tables, which may be named as they like.
 * @throws BadRequest `query_not_select`; what DuckDB throws where it cannot be parsed.
 */
export async function readSelect(
  db: DuckDBConnection,
  sql: string,
  known: readonly string[],
): Promise<Select> {
  const statements = await db.extractStatements(sql);
  if (statements.count !== 1) throw onlySelect();
  const tree = await serialize(db, sql);
  const names = new Set<string>();
  const own = new Set(known.map((name) => name.toLowerCase()));
  visit(tree, (node) => {
    const { table_name: table, function_name: called } = node;
    const isOwn = typeof table === "string" && own.has(table.toLowerCase());
    for (const name of isOwn ? [called] : [table, called])
      if (typeof name === "string" && REFUSED.test(name)) throw onlySelect();
    if (node["type"] === "BASE_TABLE" && typeof table === "string") names.add(table);
    if (node["type"] === "SHOW_REF" && typeof table === "string")
      names.add(unquoted(table));
  });
  return { tables: [...names], behind: await rowsBehind(db, tree) };
}

async function serialize(db: DuckDBConnection, sql: string): Promise<Node> {
  const read = await db.runAndReadAll("select json_serialize_sql(?::varchar)", [sql]);
  const text = read.getRowsJson()[0]?.[0];
  if (typeof text !== "string") throw onlySelect();
  // numbers that JavaScript cannot hold stay as they are written
  const tree = JSON.parse(text, (_key, value: unknown, context?: { source?: string }) =>
    typeof value === "number" && !Number.isSafeInteger(value) && context?.source
      ? rawJson(context.source)
      : value,
  ) as Node; // DuckDB's own format
  if (tree["error"] !== false) throw onlySelect();
  return tree;
}

/** Node 24 has it; the published types lack it. */
const { rawJSON: rawJson } = JSON as typeof JSON & { rawJSON(text: string): unknown };

function visit(value: unknown, onNode: (node: Node) => void): void {
  if (typeof value !== "object" || value === null) return;
  if (!Array.isArray(value)) onNode(value as Node);
  for (const inner of Object.values(value)) visit(inner, onNode);
}

const STAR = {
  class: "STAR",
  type: "STAR",
  alias: "",
  query_location: 0,
  relation_name: "",
  exclude_list: [],
  replace_list: [],
  columns: false,
  expr: null,
  qualified_exclude_list: [],
  rename_list: [],
};

/** The same query without its groups, sums and order: all columns of the rows that it reads. */
async function rowsBehind(db: DuckDBConnection, tree: Node): Promise<string | undefined> {
  const [statement] = tree["statements"] as [{ node: Node }?];
  const node = statement?.node;
  if (node?.["type"] !== "SELECT_NODE" || !(await isAggregate(db, node))) return undefined;
  const rows = {
    ...node,
    select_list: [STAR],
    group_expressions: [],
    group_sets: [],
    aggregate_handling: "STANDARD_HANDLING",
    modifiers: [],
    having: null,
    qualify: null,
  };
  const asked = { ...tree, statements: [{ ...statement, node: rows }] };
  try {
    const read = await db.runAndReadAll("select json_deserialize_sql(?::json)", [
      JSON.stringify(asked),
    ]);
    const sql = read.getRowsJson()[0]?.[0];
    return typeof sql === "string" ? sql : undefined;
  } catch {
    // a query that cannot be written without them has no such rows to show
    return undefined;
  }
}

async function isAggregate(db: DuckDBConnection, node: Node): Promise<boolean> {
  const from = node["from_table"] as Node | null;
  if (!from || from["type"] === "EMPTY") return false;
  if ((node["group_expressions"] as unknown[]).length > 0) return true;
  const called = new Set<string>();
  visit(node["select_list"], ({ class: kind, function_name: name }) => {
    if (kind === "FUNCTION" && typeof name === "string") called.add(name);
  });
  if (called.size === 0) return false;
  const read = await db.runAndReadAll(
    "select count(*) from duckdb_functions() where function_type = 'aggregate' and list_contains(string_split(?, chr(10)), function_name)",
    [[...called].join("\n")],
  );
  return read.getRowsJson()[0]?.[0] !== "0";
}

/** `describe "A"` names the table with its quotes. */
function unquoted(name: string): string {
  return name.replace(/^"|"$/g, "").replaceAll('""', '"');
}

function onlySelect(): BadRequest {
  return new BadRequest(
    "query_not_select",
    "Send one SELECT statement over the tables that describe_tables lists. A query changes " +
      "nothing, and reads no files, addresses or settings.",
  );
}

import sql, { join, type Sql } from "sql-template-tag";
import { storableTime } from "../../../platform/http/bounds.ts";
import type { ResourceSchema } from "./attributes.ts";
import { invalidFilter } from "./errors.ts";
import type { Filter, FilterValue, Operator } from "./filter.ts";
import { withoutUrn } from "./values.ts";

/** What a filter may ask, by the name in lower case. */
export type Columns = Readonly<Record<string, Column>>;

export type Column =
  /** Compared in lower case, unless the schema says that case counts. */
  | { kind: "text" | "exact" | "boolean" | "time"; column: Sql }
  /** Only `eq`, by a condition. */
  | { kind: "equals"; condition: (value: string) => Sql };

type Compare = Extract<Filter, { kind: "compare" }>;

/** The condition of a filter, for SQL. @throws BadRequest `scim_filter_invalid`. */
export function toCondition(schema: ResourceSchema, columns: Columns, filter: Filter): Sql {
  const whole = (part: Filter): Sql => toCondition(schema, columns, part);
  const named = (path: string) => columnOf(columns, withoutUrn(schema, path));
  if (filter.kind === "and" || filter.kind === "or")
    return sql`(${join(filter.parts.map(whole), ` ${filter.kind} `)})`;
  if (filter.kind === "not") return sql`(${whole(filter.part)}) is not true`;
  // of the values of a list the one that counts is a column, so brackets are only a prefix
  if (filter.kind === "value") return whole(within(filter.path, filter.part));
  const column = named(filter.path);
  if (filter.kind === "present") return isPresent(column, filter.path);
  return compare(column, filter);
}

function within(prefix: string, filter: Filter): Filter {
  if (filter.kind === "and" || filter.kind === "or")
    return { ...filter, parts: filter.parts.map((part) => within(prefix, part)) };
  if (filter.kind === "not") return { kind: "not", part: within(prefix, filter.part) };
  return { ...filter, path: `${prefix}.${filter.path}` };
}

function columnOf(columns: Columns, path: string): Column {
  const lower = path.toLowerCase();
  const column = Object.hasOwn(columns, lower) ? columns[lower] : undefined;
  if (!column)
    throw invalidFilter(
      `"${path.slice(0, 100)}" cannot be filtered by, but ${Object.keys(columns).join(", ")} can`,
    );
  return column;
}

function isPresent(column: Column, path: string): Sql {
  if (column.kind === "equals") throw invalidFilter(`${path} can only be compared by eq`);
  return sql`${column.column} is not null`;
}

function compare(column: Column, { path, operator, value }: Compare): Sql {
  if (column.kind === "equals") {
    if (operator !== "eq") throw invalidFilter(`${path} can only be compared by eq`);
    return column.condition(textOf(path, value));
  }
  if (column.kind === "boolean")
    return compareFlag(column.column, { path, operator, value });
  if (column.kind === "time") return compareTime(column.column, { path, operator, value });
  const text = textOf(path, value);
  return compareText(
    column.column,
    operator,
    column.kind === "text" ? sql`lower(${text}::text)` : sql`${text}::text`,
    path,
  );
}

function compareText(column: Sql, operator: Operator, value: Sql, path: string): Sql {
  if (operator === "eq") return sql`${column} = ${value}`;
  if (operator === "ne") return sql`${column} is distinct from ${value}`;
  if (operator === "co") return sql`strpos(${column}, ${value}) > 0`;
  if (operator === "sw") return sql`starts_with(${column}, ${value})`;
  if (operator === "ew") return sql`right(${column}, length(${value})) = ${value}`;
  throw invalidFilter(`${path} is a text, which ${operator} does not compare`);
}

type Comparison = Omit<Compare, "kind">;

/** Entra writes booleans in quotes, too. */
function compareFlag(column: Sql, { path, operator, value }: Comparison): Sql {
  const text = String(value).toLowerCase();
  if ((operator !== "eq" && operator !== "ne") || (text !== "true" && text !== "false"))
    throw invalidFilter(`${path} is compared by eq true or eq false`);
  return sql`${column} = ${(text === "true") === (operator === "eq")}`;
}

const ORDERS: Partial<Record<Operator, string>> = {
  eq: "=",
  ne: "<>",
  gt: ">",
  ge: ">=",
  lt: "<",
  le: "<=",
};

function compareTime(column: Sql, { path, operator, value }: Comparison): Sql {
  const order = ORDERS[operator];
  const time = storableTime().safeParse(value);
  if (order === undefined || !time.success)
    throw invalidFilter(`${path} is compared with a time, such as "2026-01-31T12:00:00Z"`);
  return join([column, sql`${time.data}::timestamptz`], ` ${order} `);
}

function textOf(path: string, value: FilterValue): string {
  if (typeof value !== "string") throw invalidFilter(`${path} is compared with a text`);
  return value;
}

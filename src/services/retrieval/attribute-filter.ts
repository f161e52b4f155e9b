import sql, { join, type Sql } from "sql-template-tag";
import { jsonb } from "../../platform/db/jsonb.ts";
import type { AttributeFilter, Comparison } from "../documents/contract-attributes.ts";

/**
 * Returns the SQL condition that a row of `documents.documents d` has such attributes in one of the
 * vector stores.
 */
export function fulfils(filter: AttributeFilter, folderIds: readonly string[]): Sql {
  return sql`exists (select 1 from (
      select coalesce((select jsonb_object_agg(of.key, of.value)
        from documents.store_files a, jsonb_each(a.attributes) of
        where a.document_id = d.id and a.folder_id = any (${folderIds}::uuid[])), '{}')
        as attributes) f
    where ${conditionOf(filter)})`;
}

function conditionOf(filter: AttributeFilter): Sql {
  if (!("filters" in filter)) return compare(filter);
  const inner = filter.filters.map((one) => sql`(${conditionOf(one)})`);
  return join(inner, filter.type === "and" ? " and " : " or ");
}

/** An absent attribute is equal to nothing, and neither more nor less than anything. */
function compare(comparison: Comparison): Sql {
  const found = sql`(f.attributes -> ${comparison.key}::text)`;
  if (comparison.type === "in" || comparison.type === "nin") {
    const values = comparison.value.map((value) => jsonb(value));
    const isIn = sql`coalesce(${found} = any (array[${values.length > 0 ? join(values) : sql`null`}]::jsonb[]), false)`;
    return comparison.type === "in" ? isIn : sql`not ${isIn}`;
  }
  const value = sql`${jsonb(comparison.value)}::jsonb`;
  const isEqual = sql`coalesce(${found} = ${value}, false)`;
  if (comparison.type === "eq") return isEqual;
  if (comparison.type === "ne") return sql`not ${isEqual}`;
  return sql`coalesce(jsonb_typeof(${found}) = jsonb_typeof(${value})
    and ${found} ${ORDERS[comparison.type]} ${value}, false)`;
}

const ORDERS = {
  gt: sql`>`,
  gte: sql`>=`,
  lt: sql`<`,
  lte: sql`<=`,
} as const;

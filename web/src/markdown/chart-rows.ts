/** A table: its first row names the columns. */
export type Rows = readonly (readonly string[])[];

const MAX_ROWS = 500;
const MAX_COLUMNS = 20;

/** The data that stand in a chart of Vega or Vega-Lite, as a table; undefined without any. */
export function readChartRows(source: string): Rows | undefined {
  let spec: unknown;
  try {
    spec = JSON.parse(source);
  } catch {
    return undefined; // the drawing says what is wrong
  }
  const values = findValues(spec)?.slice(0, MAX_ROWS);
  if (!values) return undefined;
  const rows = values.map((one) => (isRecord(one) ? one : { value: one }));
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))].slice(0, MAX_COLUMNS);
  if (names.length === 0) return undefined;
  return [names, ...rows.map((row) => names.map((name) => toText(row[name])))];
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The first `data` with `values`: of the chart, of a dataset, or of a layer. */
function findValues(spec: unknown): unknown[] | undefined {
  if (!isRecord(spec)) return undefined;
  const { data, datasets } = spec;
  const sets = [...(Array.isArray(data) ? data : [data]), ...Object.values(datasets ?? {})];
  for (const set of sets) {
    const values = isRecord(set) ? set["values"] : set;
    if (Array.isArray(values) && values.length > 0) return values;
  }
  for (const part of ["layer", "hconcat", "vconcat", "concat"]) {
    const inner = Array.isArray(spec[part]) ? spec[part] : [];
    const found = inner.map(findOwnValues).find((values) => values !== undefined);
    if (found) return found;
  }
  return undefined;
}

/** Of a part of a chart, which has no parts itself. */
function findOwnValues(part: unknown): unknown[] | undefined {
  const data =
    isRecord(part) && isRecord(part["data"]) ? part["data"]["values"] : undefined;
  return Array.isArray(data) && data.length > 0 ? data : undefined;
}

function toText(value: unknown): string {
  if (value === undefined || value === null) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

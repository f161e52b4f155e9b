/** What the texts of a column are, as people mean them, and the SQL that makes values of them. */
export type Kind =
  | { type: "text" }
  | { type: "boolean" }
  | { type: "integer" }
  | { type: "decimal"; comma: boolean; scale?: number }
  | { type: "date"; format: string }
  | { type: "timestamp"; format: string | null };

/** What stands in a cell that has no value. */
const NOTHING = ["", "-", "–", "—", "n/a", "na", "#n/a", "k.a.", "null", "none"];
/** Longer texts, with spaces around them, are compared with none of these. */
const MAX_NOTHING = 8;
const SIGNS = "[€$£¥'’  \\s]";

/** The same patterns here and in RE2, DuckDB's own: linear in both. */
const LEADING_ZERO = /^[-+]?0\d/;
const INTEGER = "[-+]?[0-9]{1,18}";
const POINT = "[-+]?([0-9]{1,3}(,[0-9]{3})+|[0-9]*)(\\.[0-9]+)?";
const COMMA = "[-+]?([0-9]{1,3}(\\.[0-9]{3})+|[0-9]+)(,[0-9]+)?";
const LONG = /^[-+]?\d{19,}$/;
const EXPONENT = /^[-+]?(?:[0-9]+(?:\.[0-9]+)?|\.[0-9]+)[eE][-+]?[0-9]{1,3}$/;
const DAY = /^(\d{1,4})([./-])(\d{1,2})\2(\d{2,4})$/;
const MOMENT =
  /^\d{4}-\d{1,2}-\d{1,2}[T ]\d{1,2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[-+]\d{2}:?\d{2})?$/;
const DOTTED_MOMENT = /^\d{1,2}\.\d{1,2}\.\d{4} \d{1,2}:\d{2}(:\d{2})?$/;
const MAX_DIGITS = 18;
const MAX_SCALE = 8;

const whole = (pattern: string) => new RegExp(`^(?:${pattern})$`);
const [IS_INTEGER, IS_POINT, IS_COMMA] = [INTEGER, POINT, COMMA].map(whole) as [
  RegExp,
  RegExp,
  RegExp,
];

export interface Conventions {
  /** Whether the values stand between semicolons, as where a comma is the decimal sign. */
  semicolons: boolean;
  /** Whether a program wrote the numbers: with a point, and without separators. */
  exact: boolean;
}

/** Guesses the kind of a column by some of its values. */
export function guessKind(values: readonly (string | null)[], how: Conventions): Kind {
  const texts = values.flatMap((value) => {
    const text = (value ?? "").trim();
    return NOTHING.includes(text.toLowerCase()) ? [] : [text];
  });
  if (texts.length === 0) return { type: "text" };
  if (texts.every((text) => /^(?:true|false)$/i.test(text))) return { type: "boolean" };
  if (texts.some((text) => LEADING_ZERO.test(text) && !/[.,]\d+$/.test(text)))
    return guessTime(texts, how) ?? { type: "text" };
  if (texts.every((text) => IS_INTEGER.test(text))) return { type: "integer" };
  return guessDecimal(texts, how) ?? guessTime(texts, how) ?? { type: "text" };
}

function guessDecimal(texts: readonly string[], how: Conventions): Kind | undefined {
  // more digits than a number holds are an identifier
  if (texts.some((text) => LONG.test(text))) return undefined;
  const bare = texts.map(withoutSigns);
  if (bare.some((text) => !/\d/.test(text))) return undefined;
  if (bare.every((text) => IS_POINT.test(text) || EXPONENT.test(text))) {
    const couldBeComma = !how.exact && bare.every((text) => IS_COMMA.test(text));
    return { type: "decimal", comma: couldBeComma && meansComma(bare, how) };
  }
  if (!how.exact && bare.every((text) => IS_COMMA.test(text)))
    return { type: "decimal", comma: true };
  return undefined;
}

/** Of numbers such as 1,234 that both conventions can read. A point alone is a decimal point. */
function meansComma(bare: readonly string[], { semicolons }: Conventions): boolean {
  return semicolons && bare.some((text) => text.includes(","));
}

function withoutSigns(text: string): string {
  return text.replace(new RegExp(SIGNS, "g"), "");
}

function guessTime(
  texts: readonly string[],
  { semicolons }: Conventions,
): Kind | undefined {
  if (texts.every((text) => MOMENT.test(text))) return { type: "timestamp", format: null };
  if (texts.every((text) => DOTTED_MOMENT.test(text))) {
    const seconds = texts.every((text) => /\d:\d{2}:\d{2}$/.test(text));
    return { type: "timestamp", format: `%d.%m.%Y %H:%M${seconds ? ":%S" : ""}` };
  }
  const days = texts.map((text) => DAY.exec(text));
  const [sign = ""] = days.map((day) => day?.[2] ?? "");
  if (days.some((day) => day === null || day[2] !== sign)) return undefined;
  const parts = days.map((day) => [day?.[1] ?? "", day?.[3] ?? "", day?.[4] ?? ""]);
  const at = (index: number) => parts.map((part) => part[index] ?? "");
  if (at(0).every((part) => part.length === 4))
    return { type: "date", format: `%Y${sign}%m${sign}%d` };
  const year = at(2).every((part) => part.length === 4) ? "%Y" : "%y";
  if (sign === ".") return { type: "date", format: `%d.%m.${year}` };
  const dayFirst =
    at(0).some((part) => Number(part) > 12) ||
    (semicolons && at(1).every((part) => Number(part) <= 12));
  const order = dayFirst ? `%d${sign}%m` : `%m${sign}%d`;
  return { type: "date", format: `${order}${sign}${year}` };
}

/** The next guess, where not all values are of the first kind. */
export function weakerKind(kind: Kind): Kind {
  if (kind.type === "integer") return { type: "decimal", comma: false };
  return { type: "text" };
}

/** The column as text without spaces around it, null where it says that there is nothing. */
export function valueSql(column: string): string {
  const nothing = NOTHING.map(literal).join(", ");
  return `(case when length(${column}) < ${MAX_NOTHING} and lower(trim(${column})) in (${nothing}) then null else trim(${column}) end)`;
}

/** The digits of a number, with a point. */
export function digitsSql(value: string, comma: boolean): string {
  const bare = `regexp_replace(${value}, ${literal(SIGNS)}, '', 'g')`;
  return comma
    ? `replace(replace(${bare}, '.', ''), ',', '.')`
    : `replace(${bare}, ',', '')`;
}

/** An expression that is null where a text is not of the kind. */
export function castSql(value: string, kind: Kind): string {
  const plainZero = `regexp_full_match(${value}, '[-+]?0[0-9].*')`;
  switch (kind.type) {
    case "text":
      return value;
    case "boolean":
      return `try_cast(${value} as boolean)`;
    case "integer":
      return `(case when regexp_full_match(${value}, ${literal(INTEGER)}) and not ${plainZero} then try_cast(${value} as bigint) end)`;
    case "decimal": {
      const { comma, scale } = kind;
      const digits = digitsSql(value, comma);
      const type = scale === undefined ? "double" : `decimal(${MAX_DIGITS}, ${scale})`;
      const bare = `regexp_replace(${value}, ${literal(SIGNS)}, '', 'g')`;
      const pattern = comma ? COMMA : `${POINT}|[-+]?[0-9]*\\.?[0-9]+[eE][-+]?[0-9]{1,3}`;
      return `(case when regexp_full_match(${bare}, ${literal(pattern)}) then try_cast(${digits} as ${type}) end)`;
    }
    case "date":
      return `cast(try_strptime(${value}, ${literal(kind.format)}) as date)`;
    case "timestamp":
      return kind.format === null
        ? `try_cast(${value} as timestamp)`
        : `try_strptime(${value}, ${literal(kind.format)})`;
  }
}

/** The digits behind the point where sums are exact: undefined beyond what a decimal holds. */
export function exactScale(scale: number, digitsBefore: number): number | undefined {
  return scale <= MAX_SCALE && digitsBefore + scale <= MAX_DIGITS ? scale : undefined;
}

export function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

import { currentLocale } from "./language.ts";

type Part = "day" | "month" | "year";
const PARTS: readonly string[] = ["day", "month", "year"] satisfies Part[];

/** A day, `YYYY-MM-DD`, as the reader's language writes it in figures: "31/12/2026". */
export function writeDay(day: string, locale = currentLocale()): string {
  return day === "" ? "" : inFigures(locale).format(new Date(day));
}

/** How a day is written, for who shall write one: "dd/mm/yyyy". */
export function dayPattern(
  letters: Record<Part, string>,
  locale = currentLocale(),
): string {
  return inFigures(locale)
    .formatToParts(0)
    .map(({ type, value }) => (isPart(type) ? letters[type] : value))
    .join("");
}

/**
 * Reads a day that a person writes: figures in the order of the language, or `YYYY-MM-DD`.
 * @returns the day as `YYYY-MM-DD`; undefined where the text is none.
 */
export function readDay(text: string, locale = currentLocale()): string | undefined {
  const figures = text.trim().split(/[^\d]+/);
  const [first = "", second = "", third = "", ...more] = figures.filter(Boolean);
  if (third === "" || more.length > 0) return undefined;
  const order = first.length === 4 ? ["year", "month", "day"] : orderOf(locale);
  const given: Record<string, string> = Object.fromEntries(
    [first, second, third].map((figure, at) => [order[at], figure]),
  );
  const { year = "", month = "", day = "" } = given;
  if (year.length !== 4 || month.length > 2 || day.length > 2) return undefined;
  const written = `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
  const time = Date.parse(`${written}T00:00:00Z`);
  // the 31st of June is none
  const isDay = !Number.isNaN(time) && new Date(time).toISOString().startsWith(written);
  return isDay ? written : undefined;
}

function inFigures(locale: string): Intl.DateTimeFormat {
  const two = "2-digit";
  const options = { day: two, month: two, year: "numeric", timeZone: "UTC" } as const;
  return new Intl.DateTimeFormat(locale, { ...options, calendar: "gregory" });
}

function orderOf(locale: string): string[] {
  return inFigures(locale)
    .formatToParts(0)
    .map(({ type }) => type)
    .filter(isPart);
}

function isPart(type: string): type is Part {
  return PARTS.includes(type);
}

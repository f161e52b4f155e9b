import { z } from "zod";

/** What to look for, as every engine is asked. */
export interface WebQuery {
  query: string;
  limit: number;
  /** Only pages of this site, such as `example.org`. */
  site?: string | undefined;
  /** Only pages of this time. */
  since?: "day" | "week" | "month" | "year" | undefined;
}

export interface EngineRequest {
  url: string;
  headers?: Record<string, string>;
  /** Sent as JSON by POST. */
  body?: unknown;
}

export interface Result {
  title: string;
  url: string;
  snippet: string;
  publishedAt?: string | undefined;
}

/** A search engine: its configuration, how it is asked, and how its answer is read. */
export interface Engine {
  kind: string;
  title: string;
  /** Every field is a text. Keys are marked by `apiKey`. */
  config: z.ZodObject<Record<string, z.ZodType<string>>>;
  /** The environment variable of each field. */
  variables: Record<string, string>;
  toRequest(config: Record<string, string>, query: WebQuery): EngineRequest;
  /** How many searches are left, where an answer says so. */
  remaining?(headers: Headers): number | undefined;
  /** Why an answer with status 200 is a refusal, where an engine writes that there. */
  refusal?(answer: unknown): "key" | "quota" | undefined;
  /** @throws ZodError for an answer that is none of this engine. */
  read(answer: unknown): Result[];
}

/** Checks the fields of the configuration against what `toRequest` reads. */
export function defineEngine<const Field extends string>(
  engine: Omit<Engine, "config" | "variables" | "toRequest"> & {
    config: z.ZodObject<Record<Field, z.ZodType<string>>>;
    variables: Record<Field, string>;
    toRequest(config: Record<Field, string>, query: WebQuery): EngineRequest;
  },
): Engine {
  // a caller asks an engine with the configuration that its schema has checked
  return engine as unknown as Engine;
}

/** A key, which no answer repeats. */
export function apiKey() {
  return z
    .string()
    .trim()
    .min(1)
    .max(500)
    .regex(/^[\x21-\x7e]*$/, "has only printable ASCII characters and no spaces")
    .meta({ title: "API key", secret: true });
}

/** The last number of a list in a header. */
export function lastNumber(header: string | null): number | undefined {
  const last = header?.split(",").at(-1)?.trim() ?? "";
  return /^\d{1,12}$/.test(last) ? Number(last) : undefined;
}

/** A text that an engine may leave out or send as null. */
export const optionalText = z.string().nullish();

/** A list that an engine may leave out, of items that may have another form. */
export function results<Item extends z.ZodType>(item: Item) {
  return z
    .array(z.unknown())
    .nullish()
    .transform((items) =>
      (items ?? []).flatMap((one) => {
        const read = item.safeParse(one);
        return read.success ? [read.data] : [];
      }),
    );
}

/** The query with the operator that most engines know. */
export function withSite({ query, site }: WebQuery): string {
  return site === undefined ? query : `${query} site:${site}`;
}

const DAYS = { day: 1, week: 7, month: 31, year: 366 };

/** The date at which a time begins, such as `2026-11-25`. */
export function dateOf(since: NonNullable<WebQuery["since"]>, now = Date.now()): string {
  return new Date(now - DAYS[since] * 86_400_000).toISOString().slice(0, 10);
}

/** A date that an engine writes in words or in a form of its own is left out. */
export function toDate(text: string | null | undefined): string | undefined {
  const time = /^\d{4}-\d\d-\d\d/.test(text ?? "") ? Date.parse(text ?? "") : NaN;
  return Number.isNaN(time) ? undefined : new Date(time).toISOString();
}

/** Words of an answer without the marks that some engines put around what was found. */
export function plain(text: string | null | undefined): string {
  return (text ?? "")
    .replace(/<\/?(?:strong|b|em|mark)>/g, "")
    .replace(/&(amp|lt|gt|quot|#x27|#39);/g, (_, name: string) => ENTITIES[name] ?? "")
    .trim();
}

const ENTITIES: Record<string, string> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  "#x27": "'",
  "#39": "'",
};

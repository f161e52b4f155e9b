import { z } from "zod";

/** Where a chunk stands in its document, as far as the file itself says so. */
export const Place = z.object({
  kind: z
    .enum(["page", "slide", "sheet", "chapter", "section"])
    .describe("section: of a file that does not say its pages"),
  part: z
    .number()
    .int()
    .describe("Which part of the document's text, from 1; form feeds separate them"),
  name: z
    .string()
    .nullable()
    .describe("Of a sheet; else the headings of its sections, such as: Tea › Green, Black"),
  rows: z
    .object({ first: z.number().int(), last: z.number().int() })
    .optional()
    .describe("Of a sheet, numbered as its program shows them"),
});
export type Place = z.output<typeof Place>;

export const PageNumber = z
  .number()
  .int()
  .describe(
    "The page or slide of its start. Where `place` is neither, the file states no page, and this is the part of its text",
  );

interface Placed {
  place?: Place | undefined;
  pageNumber: number | null;
}

/** The page or slide, if the file states it. */
export function statedPage({ place, pageNumber }: Placed): number | null {
  return place && place.kind !== "page" && place.kind !== "slide" ? null : pageNumber;
}

interface StoredPlace {
  place: Place | null;
  pageNumber: number;
  headings: readonly string[];
}

/** The place of a stored chunk; of one that was stored without, from its page and headings. */
export function placeOf({ place, pageNumber, headings }: StoredPlace): Place {
  if (place) return place;
  return { kind: "page", part: pageNumber, name: nameOfSections([headings]) };
}

const MAX_NAME_CHARACTERS = 300;
const MAX_SECTIONS = 4;
/** Text above the first heading. */
const UNNAMED = "…";

/**
 * Names the sections that a chunk has text of, by their headings: "Tea › Green, Black". Outer
 * headings are left out where they are too long, and sections in between where there are many.
 */
export function nameOfSections(paths: readonly (readonly string[])[]): string | null {
  if (paths.every((path) => path.length === 0)) return null;
  const names = paths.map((path, index) => nameOfSection(path, paths[index - 1] ?? []));
  const distinct = names.filter((name, index) => name !== names[index - 1]);
  const shown =
    distinct.length > MAX_SECTIONS
      ? [distinct[0], UNNAMED, nameOfSection(paths.at(-1) ?? [], [])]
      : distinct;
  return shown.join(", ");
}

/** Names a section without the headings that it shares with the one before. */
function nameOfSection(path: readonly string[], before: readonly string[]): string {
  const shared = path.findIndex((title, index) => title !== before[index]);
  const [last, ...outer] = path.slice(Math.max(shared, 0)).toReversed();
  if (last === undefined) return UNNAMED;
  const names = [last];
  let length = last.length;
  for (const heading of outer) {
    length += heading.length + 3;
    if (length > MAX_NAME_CHARACTERS) break;
    names.unshift(heading);
  }
  return names.join(" › ");
}

/** Describes a place in English, for models, logs and exports. */
export function describePlace(
  place: Place | undefined,
  pageNumber: number | null,
): string | undefined {
  const page = statedPage({ place, pageNumber });
  if (page !== null) return `${place?.kind === "slide" ? "slide" : "page"} ${page}`;
  if (!place) return undefined;
  const { kind, name, rows } = place;
  const named = name === null ? undefined : `${kind} “${name}”`;
  return [named, rows && describeRows(rows)].filter(Boolean).join(", ") || undefined;
}

function describeRows({ first, last }: NonNullable<Place["rows"]>): string {
  return first === last ? `row ${first}` : `rows ${first}–${last}`;
}

import type { ToolServer } from "../contract.ts";

// Headers with a place for what each user has: `{{user.id}}`, `{{user.email}}`, and
// `{{secret.<name>}}` for what the user fills in.

const PLACE = /\{\{(user\.id|user\.email|secret\.[a-z][a-z0-9_]{0,31})\}\}/g;
/** Anything that looks like a place for a value: `{{user}}`, `${KEY}`. */
const ANY_PLACE = /\{\{[^{}]{0,200}\}\}|\$\{[^{}]{0,200}\}/;
const SECRET = "secret.";
/** What a user fills in for one server. */
export const MAX_SECRETS = 10;

export interface HeaderTemplates {
  /** By the name of the header. */
  templates: Record<string, string>;
  /** The names of what each user fills in, in their order. */
  secrets: string[];
  usesEmail: boolean;
}

/**
 * The headers of a server that differ from user to user; undefined for a server without any, or
 * with a place that nothing fills.
 */
export function headerTemplatesOf({
  headers = {},
}: Pick<ToolServer, "headers">): HeaderTemplates | undefined {
  const templates = Object.fromEntries(
    Object.entries(headers).filter(([, value]) => placesIn(value).length > 0),
  );
  const places = new Set(Object.values(templates).flatMap(placesIn));
  if (places.size === 0 || wrongTemplateIn({ headers }) !== undefined) return undefined;
  const secrets = [...places]
    .filter((place) => place.startsWith(SECRET))
    .map((place) => place.slice(SECRET.length));
  return { templates, secrets, usesEmail: places.has("user.email") };
}

/** A server with the headers alone that are the same for everybody. */
export function withoutTemplates(server: ToolServer): ToolServer {
  const { templates } = headerTemplatesOf(server) ?? {};
  if (!templates) return server;
  const plain = Object.entries(server.headers ?? {}).filter(
    ([name]) => !Object.hasOwn(templates, name),
  );
  return { ...server, headers: Object.fromEntries(plain) };
}

/** The name of a header with a place that nothing fills, if there is one. */
export function wrongTemplateIn({
  headers = {},
}: Pick<ToolServer, "headers">): string | undefined {
  const secrets = new Set<string>();
  for (const [name, value] of Object.entries(headers)) {
    for (const place of placesIn(value)) if (place.startsWith(SECRET)) secrets.add(place);
    const isWrong = ANY_PLACE.test(value.replaceAll(PLACE, ""));
    if (isWrong || secrets.size > MAX_SECRETS) return name;
  }
  return undefined;
}

/** @param values by the name of the place, such as `user.id` */
export function fillTemplates(
  { templates }: HeaderTemplates,
  values: Readonly<Record<string, string>>,
): Record<string, string> {
  const filled = Object.entries(templates).map(
    ([name, template]) =>
      [
        name,
        template.replace(PLACE, (_, place: string) => printable(values[place] ?? "")),
      ] as const,
  );
  return Object.fromEntries(filled);
}

/** What a user fills in, as a place in a header. */
export function secretPlaces(values: Readonly<Record<string, string>>) {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [`${SECRET}${name}`, value]),
  );
}

function placesIn(value: string): string[] {
  return [...value.matchAll(PLACE)].map(([, place = ""]) => place);
}

/** A header holds printable ASCII: a line's end in a name would begin another header. */
function printable(value: string): string {
  return value
    .toWellFormed()
    .replace(/[^\x20-\x7e]/gu, (character) => encodeURIComponent(character));
}

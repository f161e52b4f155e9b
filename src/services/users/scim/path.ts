import { invalidPath } from "./errors.ts";
import { type Filter, parseFilter } from "./filter.ts";
import type { ResourceSchema } from "./attributes.ts";
import { withoutUrn } from "./values.ts";

/** What an operation of a PATCH is about: `emails[type eq "work"].value`, `name.givenName`. */
export interface Path {
  attribute: string;
  filter?: Filter;
  sub?: string;
}

const MAX_CHARACTERS = 4_000;
const NAME = /^[A-Za-z$][\w$-]*$/;

/** @throws BadRequest `scim_path_invalid`, `scim_filter_invalid`. */
export function parsePath(schema: ResourceSchema, text: string): Path {
  if (text.length > MAX_CHARACTERS) throw invalidPath(text.slice(0, 100));
  const path = withoutUrn(schema, text.trim());
  // an attribute of an extension, none of which is kept; its dots are no sub-attributes
  if (path.toLowerCase().startsWith("urn:")) return { attribute: path };
  const open = path.indexOf("[");
  const close = path.lastIndexOf("]");
  if (open < 0) {
    const [attribute = "", sub, ...rest] = path.split(".");
    return named(text, attribute, sub, rest.length > 0);
  }
  const after = path.slice(close + 1);
  const isWrong = close < open || (after !== "" && !after.startsWith("."));
  return {
    ...named(text, path.slice(0, open), after === "" ? undefined : after.slice(1), isWrong),
    filter: parseFilter(path.slice(open + 1, close), schema.patch.maxTerms),
  };
}

function named(
  text: string,
  attribute: string,
  sub: string | undefined,
  isWrong: boolean,
): Path {
  if (isWrong || !NAME.test(attribute) || (sub !== undefined && !NAME.test(sub)))
    throw invalidPath(text);
  return { attribute, ...(sub !== undefined && { sub }) };
}

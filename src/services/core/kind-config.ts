import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { BadRequest } from "../../platform/http/errors.ts";
import { shortenText } from "../../platform/shorten-text.ts";

/** The configuration of one kind: of providers of models, or of search engines. */

/** Stands for a secret in answers. In a request it stands for the stored secret. */
export const MASK = "•••";

const MAX_NAMED_CHARACTERS = 100;

type Given = Record<string, unknown>;

/**
 * Drops fields that an earlier version stored, which forms send back as they were.
 * @throws BadRequest `validation_failed` with the fields that are wrong, or that there are not: an
 * unknown field may be a misspelt one.
 */
export function parseConfig<Config>(
  schema: z.ZodObject,
  given: Given,
  stored: Given = {},
): Config {
  const parsed = schema.safeParse(given);
  const unknown = Object.keys(given).filter(
    (field) =>
      !Object.hasOwn(schema.shape, field) &&
      !(Object.hasOwn(stored, field) && isDeepStrictEqual(stored[field], given[field])),
  );
  if (parsed.success && unknown.length === 0) return parsed.data as Config; // as its kind has it
  const fields = Object.keys(schema.shape).join(", ");
  const details = [
    ...(parsed.error?.issues ?? []).map(({ path, message }) => ({
      path: ["body", "config", ...path].join("."),
      message,
    })),
    ...unknown.map((field) => ({
      path: `body.config.${shortenText(field, MAX_NAMED_CHARACTERS)}`,
      message: `is no field of this configuration: ${fields}`,
    })),
  ];
  const [first] = details;
  throw new BadRequest(
    "validation_failed",
    `The request is not valid: ${first?.path}: ${first?.message}.`,
    { details },
  );
}

/** JSON Schema to make a form from. Secrets are `writeOnly` with the format `password`. */
export function describeConfig(config: z.ZodType, title: string): Record<string, unknown> {
  const { secret: _, ...schema } = z.toJSONSchema(config, {
    io: "input",
    target: "draft-2020-12",
    override({ jsonSchema }) {
      if (jsonSchema["secret"] !== true) return;
      delete jsonSchema["secret"];
      Object.assign(jsonSchema, { writeOnly: true, format: "password" });
    },
  });
  return { ...schema, title };
}

import { z } from "zod";
import { BadRequest } from "../../platform/http/errors.ts";

/** The configuration of one kind: of providers of models, or of search engines. */

/** Stands for a secret in answers. In a request it stands for the stored secret. */
export const MASK = "•••";

/** @throws BadRequest `validation_failed` with the fields that are wrong. */
export function parseConfig<Config>(schema: z.ZodType<Config>, given: unknown): Config {
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  const details = parsed.error.issues.map(({ path, message }) => ({
    path: ["body", "config", ...path].join("."),
    message,
  }));
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

import { z } from "zod";

/** Makers of schemas for environment variables, which are all strings. */

/** A whole number of milliseconds. */
export const duration = () => z.coerce.number("must be a number of milliseconds").int().min(0).max(2_147_483_647);

export const port = () => z.coerce.number("must be a port number").int().min(0).max(65_535);

export const count = () => z.coerce.number("must be a whole number").int().min(0);

export const url = () => z.url("must be a URL, with its scheme").transform((value) => value.replace(/\/+$/, ""));

export const flag = () =>
  z
    .enum(["true", "false", "1", "0", "yes", "no"], "must be true or false")
    .transform((value) => ["true", "1", "yes"].includes(value));

/** Comma-separated. */
export const list = () =>
  z.string().transform((value) =>
    value
      .split(",")
      .map((item) => item.trim())
      .filter((item) => item !== ""),
  );

/** At least 16 characters; its value never appears in a message. */
export const secret = () => z.string().min(16, "must have at least 16 characters").meta({ secret: true });

/** Any secret that somebody else made, such as a provider's key. */
export const credential = () => z.string().min(1).meta({ secret: true });

/** JSON in a variable, checked against a schema. */
export const jsonOf = <Schema extends z.ZodType>(schema: Schema) =>
  z
    .string()
    .transform((text, context) => {
      try {
        return JSON.parse(text) as unknown;
      } catch {
        context.addIssue({ code: "custom", message: "must be JSON" });
        return z.NEVER;
      }
    })
    .pipe(schema);

import type { z } from "zod";

/** Names every wrong variable in one message. */
export class ConfigError extends Error {
  override name = "ConfigError";
}

type Environment = Record<string, string | undefined>;
type Values<Schemas extends Record<string, z.ZodObject>> = {
  [Name in keyof Schemas]: z.output<Schemas[Name]>;
};

/**
 * Parses the environment into one typed object per schema. An empty variable counts as unset.
 * Messages never repeat values. `missing`: further problems, one sentence each, that begin with the
 * name of the variable.
 * @throws ConfigError that names every wrong variable, the problem and the purpose of the variable.
 */
export function readConfig<Schemas extends Record<string, z.ZodObject>>(
  schemas: Schemas,
  environment: Environment,
  missing: readonly string[] = [],
): Values<Schemas> {
  const given = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value !== ""),
  );
  const wrong = new Map<string, string>();
  const values: Record<string, unknown> = {};
  for (const [name, schema] of Object.entries(schemas)) {
    const parsed = schema.safeParse(given);
    if (parsed.success) values[name] = parsed.data;
    else
      for (const issue of parsed.error.issues)
        wrong.set(String(issue.path[0]), explain(schema, issue));
  }
  const lines = [...wrong.values(), ...missing];
  if (lines.length > 0)
    throw new ConfigError(
      `These environment variables are wrong or missing:\n${lines.map((line) => `  ${line}`).join("\n")}`,
    );
  return values as Values<Schemas>; // each value is the output of the schema with its name
}

function explain(schema: z.ZodObject, { path, message }: z.core.$ZodIssue): string {
  const [name, ...inside] = path.map(String);
  const purpose = name === undefined ? undefined : describe(schema, name);
  const where = inside.length > 0 ? ` (at ${inside.join(".")})` : "";
  return `${name}: ${message}${where}${purpose ? `. Purpose: ${purpose}` : ""}`;
}

function describe(schema: z.ZodObject, name: string): string | undefined {
  return (schema.shape[name] as z.ZodType | undefined)?.description; // a shape holds zod types
}

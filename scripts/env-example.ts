import { readFileSync, writeFileSync } from "node:fs";
import { z } from "zod";
import { loadServices } from "../src/server/services.ts";
import { serverConfig } from "../src/server/config.ts";
import { readArguments } from "./read-arguments.ts";

const USAGE = `Usage: npm run env-example [-- --check]

Writes .env.example from the schemas that read the environment.

  --check  write nothing, and fail when the file differs
  --help   print this`;

const { values } = readArguments(USAGE, {
  options: { check: { type: "boolean", default: false } },
});
const schemas: [string, z.ZodObject][] = [["The server", serverConfig]];
for (const { name, config } of await loadServices())
  schemas.push([`The ${name} service`, config]);

const seen = new Set<string>();
const sections = schemas.map(([title, schema]) => {
  const lines = Object.entries(schema.shape).flatMap(([variable, field]) => {
    if (seen.has(variable)) return [];
    seen.add(variable);
    return [
      `# ${(field as z.ZodType).description ?? ""}`,
      `#${variable}=${fallback(variable, field as z.ZodType)}`,
    ]; // fields of a zod object are zod types
  });
  return lines.length > 0 ? `## ${title}\n\n${lines.join("\n")}\n` : "";
});
const text = `# Every setting of Parlance with its default. Made by \`npm run env-example\` from the schemas that read them.\n\n${sections.filter(Boolean).join("\n")}`;

if (!values.check) writeFileSync(".env.example", text);
else if (readFileSync(".env.example", "utf8") !== text) {
  console.error(".env.example is not what the schemas say: run npm run env-example");
  process.exit(1);
}

/** The default as it is written in the environment, such as a number of days. */
function fallback(variable: string, field: z.ZodType): string {
  const text = toText(defaultOf(field));
  if (text !== "" && !field.safeParse(text).success)
    throw new Error(`${variable}: its schema refuses its own default ${text}`);
  return text;
}

/** A transform after a default changes it, so the parsed value is not what is written. */
function defaultOf(field: z.ZodType): unknown {
  const before = field instanceof z.ZodPipe ? field.def.in : undefined;
  if (before instanceof z.ZodDefault) return before.def.defaultValue;
  const parsed = field.safeParse(undefined);
  return parsed.success ? parsed.data : undefined;
}

function toText(value: unknown): string {
  return String((Array.isArray(value) ? value.join(",") : value) ?? "");
}

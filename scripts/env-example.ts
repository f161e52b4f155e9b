import { readFileSync, writeFileSync } from "node:fs";
import { z } from "zod";
import { SERVICES } from "../src/server/services.ts";
import { serverConfig } from "../src/server/config.ts";

/**
 * Generates .env.example from the schemas that read the environment. With --check it fails when the
 * file differs.
 */
const schemas: [string, z.ZodObject][] = [["The server", serverConfig]];
for (const load of Object.values(SERVICES)) {
  const { name, config } = (await load()).default;
  schemas.push([`The ${name} service`, config as z.ZodObject]);
}

const seen = new Set<string>();
const sections = schemas.map(([title, schema]) => {
  const lines = Object.entries(schema.shape).flatMap(([variable, field]) => {
    if (seen.has(variable)) return [];
    seen.add(variable);
    return [
      `# ${(field as z.ZodType).description ?? ""}`,
      `#${variable}=${fallback(field as z.ZodType)}`,
    ]; // fields of a zod object are zod types
  });
  return lines.length > 0 ? `## ${title}\n\n${lines.join("\n")}\n` : "";
});
const text = `# Every setting of Parlance with its default. Made by \`npm run env-example\` from the schemas that read them.\n\n${sections.filter(Boolean).join("\n")}`;

if (!process.argv.includes("--check")) writeFileSync(".env.example", text);
else if (readFileSync(".env.example", "utf8") !== text) {
  console.error(".env.example is not what the schemas say: run npm run env-example");
  process.exit(1);
}

function fallback(field: z.ZodType): string {
  const parsed = field.safeParse(undefined);
  return parsed.success && parsed.data !== undefined
    ? String(Array.isArray(parsed.data) ? parsed.data.join(",") : parsed.data)
    : "";
}

import { glob } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import type { SchemaNames } from "../platform/http/openapi-schema.ts";

const ROOT = new URL("../", import.meta.url);

/** The schemas that contracts export, by the names that they have in the code. */
export async function schemaNames(): Promise<SchemaNames> {
  const names = new Map<z.core.$ZodType, string>();
  const files: string[] = [];
  for await (const file of glob("{platform,services}/**/contract*.ts", {
    cwd: fileURLToPath(ROOT),
  }))
    if (!file.endsWith(".test.ts")) files.push(file);
  // the same order on every machine: of two schemas with a name, the first has it alone
  for (const file of files.sort()) {
    const exported = (await import(new URL(file, ROOT).href)) as Record<string, unknown>;
    for (const [name, value] of Object.entries(exported))
      if (value instanceof z.ZodType && /^[A-Z][A-Za-z0-9]*$/.test(name))
        names.set(value, names.get(value) ?? name);
  }
  return names;
}

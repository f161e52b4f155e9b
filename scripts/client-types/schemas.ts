import type { ApiDocument } from "./operations.ts";
import { comment, type Schema, TypeWriter } from "./types.ts";

/** The named schemas that operations use, directly or through others, as types. */
export function writeSchemas(document: ApiDocument, used: ReadonlySet<string>): string {
  const writer = new TypeWriter();
  const declared = new Map<string, string>();
  for (let open = [...used]; open.length > 0;) {
    for (const name of open)
      declared.set(name, declare(name, document.components.schemas[name] ?? {}, writer));
    open = [...writer.used].filter((name) => !declared.has(name));
  }
  const sorted = [...declared].sort(([a], [b]) => (a < b ? -1 : 1));
  return [
    "// Made by `npm run client-types` from the contracts of the services.",
    ...sorted.map(([, text]) => text),
  ].join("\n\n");
}

function declare(name: string, schema: Schema, writer: TypeWriter): string {
  const isPlainObject = schema.properties && !schema.anyOf && !schema.oneOf;
  const text = isPlainObject
    ? `export interface ${name} ${writer.fields(schema)}`
    : `export type ${name} = ${writer.write(schema)};`;
  return comment(schema) + text;
}

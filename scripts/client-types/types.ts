/** The part of JSON Schema that the OpenAPI document uses. */
export interface Schema {
  $ref?: string;
  type?: string;
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  not?: Schema;
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema | boolean;
  format?: string;
  description?: string;
  default?: unknown;
  contentSchema?: Schema;
}

const PLAIN_NAME = /^[A-Za-z_$][\w$]*$/;
const MAX_COMMENT_CHARACTERS = 80;

/** Writes types of TypeScript for schemas, and remembers which named ones they use. */
export class TypeWriter {
  readonly used = new Set<string>();

  /** @returns an expression of a type. */
  write(schema: Schema): string {
    if (schema.$ref) {
      const name = nameOf(schema.$ref);
      this.used.add(name);
      return name;
    }
    if ("const" in schema) return JSON.stringify(schema.const);
    if (schema.enum) return schema.enum.map((one) => JSON.stringify(one)).join(" | ");
    const forms = schema.anyOf ?? schema.oneOf;
    if (forms) {
      const types = new Set(forms.map((form) => this.write(form)));
      return types.has("unknown") ? "unknown" : [...types].join(" | ");
    }
    if (schema.not) return "never";
    return this.#writePlain(schema);
  }

  /** The fields of an object, with what is known of each. */
  fields({ properties = {}, required = [], additionalProperties }: Schema): string {
    const lines = Object.entries(properties).map(([name, property]) => {
      const optional = required.includes(name) ? "" : "?";
      return `${comment(property)}${toKey(name)}${optional}: ${this.write(property)};`;
    });
    // fields of other types may stand beside the named ones
    if (additionalProperties && lines.length > 0) lines.push("[name: string]: unknown;");
    return `{\n${lines.join("\n")}\n}`;
  }

  #writePlain(schema: Schema): string {
    const { type, items, properties, additionalProperties, format, allOf } = schema;
    if (type === "string") return format === "binary" ? "Blob" : "string";
    if (type === "integer" || type === "number") return "number";
    if (type === "boolean" || type === "null") return type;
    if (type === "array") {
      const item = items ? this.write(items) : "unknown";
      return /^[\w$.]+$/.test(item) ? `${item}[]` : `(${item})[]`;
    }
    if (properties) return this.fields(schema);
    if (allOf) return allOf.map((part) => `(${this.write(part)})`).join(" & ");
    if (type === "object") {
      const values =
        typeof additionalProperties === "object"
          ? this.write(additionalProperties)
          : "unknown";
      return `{ [name: string]: ${values} }`;
    }
    return "unknown";
  }
}

/** A comment in front of what a schema or an operation describes, or nothing. */
export function comment({ description }: { description?: string }): string {
  if (!description) return "";
  const lines = description
    .replaceAll("*/", "* /")
    .split("\n")
    .flatMap((paragraph) => wrap(paragraph));
  if (lines.length === 1) return `/** ${lines[0]} */\n`;
  return `/**\n${lines.map((line) => ` * ${line}`.trimEnd()).join("\n")}\n */\n`;
}

export function nameOf(reference: string): string {
  return reference.slice(reference.lastIndexOf("/") + 1);
}

export function toKey(name: string): string {
  return PLAIN_NAME.test(name) ? name : JSON.stringify(name);
}

function wrap(text: string): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line && line.length + word.length >= MAX_COMMENT_CHARACTERS) {
      lines.push(line);
      line = word;
    } else line = line ? `${line} ${word}` : word;
  }
  return [...lines, line];
}

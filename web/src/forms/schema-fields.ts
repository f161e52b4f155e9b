export type FormValues = Record<string, string | number | boolean | undefined>;

/** A field of a form, read from a JSON Schema. */
export interface FieldSchema {
  name: string;
  label: string;
  hint: string | undefined;
  kind: "text" | "secret" | "address" | "number" | "yes-no" | "choice";
  isRequired: boolean;
  options: readonly string[];
  default: FormValues[string];
}

interface Property {
  type?: string;
  format?: string;
  title?: string;
  description?: string;
  enum?: unknown[];
  default?: unknown;
}

/** The fields of an object's schema, those that are required first. */
export function fieldsOf(schema: Record<string, unknown>): FieldSchema[] {
  const properties = (schema["properties"] ?? {}) as Record<string, Property>; // JSON Schema
  const required = (schema["required"] ?? []) as string[]; // JSON Schema
  const fields = Object.entries(properties).map(([name, property]) =>
    toField(name, property, required.includes(name)),
  );
  return fields.sort((one, other) => Number(other.isRequired) - Number(one.isRequired));
}

/** The initial values of a form. */
export function defaultsOf(schema: Record<string, unknown>): FormValues {
  const entries = fieldsOf(schema).map((field) => [field.name, field.default] as const);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

/** The values that are given: an empty text is none. */
export function givenValues(values: FormValues): FormValues {
  return Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== "" && value !== undefined),
  );
}

function toField(name: string, property: Property, isRequired: boolean): FieldSchema {
  const label = property.title ?? toLabel(name);
  const { description } = property;
  const isPlain = ["string", "number", "boolean"].includes(typeof property.default);
  return {
    name,
    label,
    hint: description === label ? undefined : description,
    kind: kindOf(property),
    isRequired,
    options: (property.enum ?? []).map(String),
    default: isPlain ? (property.default as FormValues[string]) : undefined, // just checked
  };
}

function kindOf({ type, format, enum: options }: Property): FieldSchema["kind"] {
  if (options) return "choice";
  if (type === "boolean") return "yes-no";
  if (type === "number" || type === "integer") return "number";
  if (format === "password") return "secret";
  return format === "uri" ? "address" : "text";
}

/** `apiKey` → `Api key`, `baseUrl` → `Base URL`. */
function toLabel(name: string): string {
  const words = name
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .replace(/\burl\b/, "URL")
    .replace(/\bapi\b/, "API")
    .replace(/\bid\b/, "ID");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

type Node = Readonly<Record<string, unknown>>;
type Schemas = Readonly<Record<string, unknown>>;

/** What stands for a text, by the name of its field. */
const TEXTS: Readonly<Record<string, string>> = {
  action: "document.create",
  address: "https://example.org",
  clientId: "example",
  code: "import math\nprint(math.pi)",
  content: "What does our travel policy say about trains?",
  cron: "0 7 * * 1",
  currency: "EUR",
  description: "Answers questions about travel.",
  email: "ada@example.org",
  error: "Choose a shorter name.",
  fileName: "travel-policy.pdf",
  filename: "travel-policy.pdf",
  instructions: "Answer from the travel policy, and name the section.",
  input: "What does our travel policy say about trains?",
  key: "travel",
  language: "en",
  markdown: "# Travel policy",
  mimeType: "application/pdf",
  mediaType: "application/pdf",
  model: "openai/gpt-test",
  name: "Travel",
  origin: "https://example.org",
  password: "four plain words of your own",
  query: "travel by train",
  roles: "user",
  sql: "select count(*) from journeys",
  text: "Trains are preferred for journeys under 600 km.",
  timeZone: "Europe/Berlin",
  tags: "travel",
  texts: "Trains are preferred for journeys under 600 km.",
  title: "Travel policy",
  token: "a-token-that-a-server-made",
  type: "text/plain",
  url: "https://example.org/policy",
  version: "1.0.0",
};
/** By how the name of a field ends. */
const BY_END: readonly (readonly [RegExp, string])[] = [
  [/(?:^|[a-z]_?)ids?$/i, "0198c1f2-7a4b-7c3d-8e5f-6a7b8c9d0e1f"],
  [/(?:ur[il]s?|origins)$/i, "https://example.org/policy"],
  [/(?:token|secret|password)$/i, "a-secret-that-a-server-made"],
  [/(?:At|_at)$/, "2026-01-31T09:30:00.000Z"],
  [/names?$/i, "Travel"],
];
const FORMATS: Readonly<Record<string, string>> = {
  uuid: "0198c1f2-7a4b-7c3d-8e5f-6a7b8c9d0e1f",
  "date-time": "2026-01-31T09:30:00.000Z",
  email: "ada@example.org",
  uri: "https://example.org/policy",
  base64: "SGVsbG8=",
  sha256_hex: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
};
/** What fits the patterns that fields have. */
const COMMON: readonly string[] = [
  "travel",
  "Travel policy",
  "en",
  "#336699",
  "image/png",
  "SGVsbG8=",
  ...Object.values(FORMATS),
  "2026-01-31",
  "a",
];
/** Deeper objects say little, and a schema may contain itself. */
const MAX_DEPTH = 12;
/** Fields of a request that may all be absent: an example names some. */
const MAX_OPTIONAL_FIELDS = 3;
/** Stands for what has no example: a schema in itself, or none of whose values is known. */
const NONE = Symbol("none");

/** A value that a schema of a document allows, or undefined when none is known. */
export function exampleOf(
  schema: unknown,
  schemas: Schemas,
  direction: "sent" | "answered",
): unknown {
  // any value at all: an example would say nothing
  if (isNode(schema) && Object.keys(schema).length === 0) return undefined;
  const example = new Examples(schemas, direction === "answered").of(schema, "", []);
  return example === NONE ? undefined : example;
}

class Examples {
  readonly #schemas: Schemas;
  /** Whether fields that may be absent are shown: an answer has most of them. */
  readonly #withOptional: boolean;

  constructor(schemas: Schemas, withOptional: boolean) {
    this.#schemas = schemas;
    this.#withOptional = withOptional;
  }

  /** @param within the names of the components that this is a part of. */
  of(schema: unknown, name: string, within: readonly string[]): unknown {
    if (!isNode(schema)) return schema === true ? "value" : NONE;
    const { $ref, examples, type, allOf } = schema;
    if (Array.isArray(examples) && examples.length > 0) return examples[0];
    if ("const" in schema) return schema["const"];
    if ("default" in schema) return schema["default"];
    if (typeof $ref === "string") return this.#component($ref, name, within);
    if (Array.isArray(schema["enum"])) return schema["enum"][0];
    const variants = schema["anyOf"] ?? schema["oneOf"];
    if (Array.isArray(variants)) return this.#variant(variants, name, within);
    if (Array.isArray(allOf)) return this.#all(allOf, name, within);
    if (type === "object") return this.#object(schema, within);
    if (type === "array") return this.#list(schema, name, within);
    if (type === "string") return text(schema, name);
    if (type === "integer" || type === "number") return number(schema);
    if (type === "boolean") return true;
    if (type === "null") return null;
    return "value";
  }

  #component(reference: string, name: string, within: readonly string[]): unknown {
    const component = reference.slice(reference.lastIndexOf("/") + 1);
    if (within.includes(component) || within.length > MAX_DEPTH) return NONE;
    return this.of(this.#schemas[component], name, [...within, component]);
  }

  #variant(variants: readonly unknown[], name: string, within: readonly string[]): unknown {
    const filled = variants.filter((one) => !isNode(one) || one["type"] !== "null");
    for (const variant of [...filled, ...variants]) {
      const example = this.of(variant, name, within);
      if (example !== NONE) return example;
    }
    return NONE;
  }

  #all(parts: readonly unknown[], name: string, within: readonly string[]): unknown {
    const examples = parts.map((part) => this.of(part, name, within));
    if (examples.includes(NONE)) return NONE;
    return examples.every(isNode)
      ? (Object.assign({}, ...examples) as unknown)
      : examples[0];
  }

  #object(schema: Node, within: readonly string[]): unknown {
    const properties = isNode(schema["properties"]) ? schema["properties"] : {};
    const required = Array.isArray(schema["required"])
      ? (schema["required"] as string[])
      : [];
    const example: Record<string, unknown> = {};
    for (const name of this.#shown(Object.keys(properties), required)) {
      // readers of the document would take it for a reference
      if (name === "$ref") continue;
      const value = this.of(properties[name], name, within);
      if (value !== NONE) example[name] = value;
      else if (required.includes(name)) return NONE;
    }
    return example;
  }

  #shown(names: readonly string[], required: readonly string[]): readonly string[] {
    if (this.#withOptional) return names;
    return required.length > 0
      ? names.filter((name) => required.includes(name))
      : names.slice(0, MAX_OPTIONAL_FIELDS);
  }

  #list(schema: Node, name: string, within: readonly string[]): unknown {
    const least = typeof schema["minItems"] === "number" ? schema["minItems"] : 0;
    const item = this.of(schema["items"], name, within);
    if (item === NONE) return least === 0 ? [] : NONE;
    const most = typeof schema["maxItems"] === "number" ? schema["maxItems"] : 1;
    return Array.from({ length: Math.max(least, Math.min(1, most)) }, () => item);
  }
}

function text(schema: Node, name: string): unknown {
  const { format, pattern, minLength = 0, maxLength = Infinity } = schema;
  const fits = (one: string) =>
    one.length >= (minLength as number) &&
    one.length <= (maxLength as number) &&
    (typeof pattern !== "string" || new RegExp(pattern, "u").test(one));
  const own = TEXTS[name] ?? BY_END.find(([end]) => end.test(name))?.[1];
  const ofFormat = typeof format === "string" ? FORMATS[format] : undefined;
  const candidates = [ofFormat, own, ...COMMON].filter((one) => one !== undefined);
  const long = "a".repeat(Math.max(1, minLength as number));
  return [...candidates, long].find(fits) ?? NONE;
}

function number(schema: Node): number {
  const { minimum, exclusiveMinimum, maximum } = schema;
  if (typeof minimum === "number" && minimum > 0) return minimum;
  if (typeof exclusiveMinimum === "number" && exclusiveMinimum >= 0)
    return schema["type"] === "integer" ? exclusiveMinimum + 1 : exclusiveMinimum + 0.5;
  return typeof maximum === "number" ? Math.min(1, maximum) : 1;
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

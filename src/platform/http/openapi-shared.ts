import { NAME_MARK } from "./openapi-schema.ts";

type Node = Record<string, unknown>;

/** What a place says about a schema, rather than what the schema is. */
const OF_THE_PLACE = ["description", "default", "readOnly"] as const;
/** Keys whose values are the schemas of properties, by name. */
const BY_NAME = new Set(["properties", "patternProperties"]);
/** Keys whose values are data. */
const DATA = new Set(["default", "enum", "const", "examples", "example", "required"]);

/**
 * Gives schemas of a document a place in `components.schemas`: those of bodies, those that a module
 * exports by a name, variants, and objects that occur more than once. References in a document
 * start at its root, so `$defs` move there, too.
 */
export class SharedSchemas {
  readonly schemas: Record<string, unknown> = {};
  /** The name of each component by what it says. */
  readonly #names = new Map<string, string>();
  /** How often each object occurs. */
  readonly #counts = new Map<string, number>();
  readonly #definitions = new Map<string, Record<string, string>>();
  #area = "";

  readonly #reserved: ReadonlySet<string>;

  /** @param reserved names of other components: generators put all in one scope. */
  constructor(fixed: Record<string, object>, reserved: Iterable<string>) {
    Object.assign(this.schemas, fixed);
    this.#reserved = new Set(reserved);
  }

  /** Counts the objects in a part of a document. Call it for all parts before `share`. */
  count(part: unknown): void {
    if (Array.isArray(part)) return part.forEach((item) => this.count(item));
    if (!isNode(part)) return;
    if (isObject(part)) {
      const { key } = described(part);
      this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
    }
    for (const value of Object.values(part)) this.count(value);
  }

  /**
   * Returns a schema with references to components.
   * @param hint names what has no name of its own.
   * @param area tells schemas of one name apart.
   * @param isBody whether it becomes a component wherever it occurs.
   */
  share(schema: unknown, hint: string, area: string, isBody = false): unknown {
    this.#area = area;
    return this.#share(schema, hint, {}, isBody ? "body" : undefined);
  }

  #share(
    node: unknown,
    hint: string,
    names: Record<string, string>,
    as?: "body" | "variant",
  ): unknown {
    if (Array.isArray(node)) return this.#variants(node, hint, names);
    if (!isNode(node)) return node;
    const { $defs, ...rest } = node;
    const within = isNode($defs) ? this.#move($defs, hint) : names;
    const { key, name } = described(rest);
    const isShared = isObject(rest)
      ? as !== undefined || name !== undefined || (this.#counts.get(key) ?? 0) > 1
      : (as === "body" || name !== undefined) && isWorthAName(rest);
    if (!isShared) return this.#contentOf(rest, hint, within);
    const place = annotations(rest);
    const scoped = scopedKey(key, within);
    const known = this.#names.get(scoped);
    // one place's default is no other's
    if (known) return { $ref: reference(known), ...place };
    const own = this.#free(name ?? hint);
    this.#names.set(scoped, own);
    // reserve the name before naming what is inside
    this.schemas[own] = {};
    const inside = as === "body" ? { ...within, "#": own } : within;
    this.schemas[own] = this.#contentOf(without(rest, place), own, inside);
    return { $ref: reference(own), ...place };
  }

  #variants(nodes: unknown[], hint: string, names: Record<string, string>): unknown[] {
    const isChoice = nodes.filter((item) => !isNull(item)).length > 1;
    return nodes.map((item, index) =>
      isChoice
        ? this.#share(item, hint + variantName(item, index), names, "variant")
        : this.#share(item, hint, names),
    );
  }

  #contentOf(node: Node, hint: string, names: Record<string, string>): Node {
    const entries = Object.entries(node)
      .filter(([key]) => key !== NAME_MARK)
      .map(([key, value]) => {
        if (DATA.has(key)) return [key, value];
        // several types at once are new in OpenAPI 3.1, and few generators read them
        if (key === "type" && Array.isArray(value))
          return ["anyOf", value.map((type: unknown) => ({ type }))];
        if (key === "$ref") return [key, pointed(value, names)];
        if (BY_NAME.has(key) && isNode(value))
          return [key, this.#properties(value, hint, names)];
        const step = key === "items" || key === "additionalProperties" ? "Item" : "";
        return [key, this.#share(value, hint + step, names)];
      });
    return Object.fromEntries(entries) as Node;
  }

  #properties(properties: Node, hint: string, names: Record<string, string>): Node {
    const entries = Object.entries(properties).map(([name, value]) => [
      name,
      this.#share(value, hint + pascal(name), names),
    ]);
    return Object.fromEntries(entries) as Node;
  }

  /** Moves definitions, which may refer to each other. Equal ones are moved once. */
  #move(definitions: Node, hint: string): Record<string, string> {
    const text = JSON.stringify(definitions);
    const before = this.#definitions.get(text);
    if (before) return before;
    const names: Record<string, string> = {};
    for (const [given, definition] of Object.entries(definitions)) {
      const own = isNode(definition) ? described(definition).name : undefined;
      const name = this.#free(own ?? (given.startsWith("__") ? `${hint}Value` : given));
      names[given] = name;
      // reserve the name before naming nested definitions
      this.schemas[name] = {};
    }
    this.#definitions.set(text, names);
    for (const [given, definition] of Object.entries(definitions)) {
      const name = names[given] ?? given;
      this.schemas[name] = isNode(definition)
        ? this.#contentOf(definition, name, names)
        : definition;
    }
    return names;
  }

  /** A name that no other schema has. */
  #free(wanted: string): string {
    if (!this.#isTaken(wanted)) return wanted;
    const other = wanted.startsWith(this.#area) ? wanted : this.#area + wanted;
    if (!this.#isTaken(other)) return other;
    let number = 2;
    while (this.#isTaken(`${other}Kind${number}`)) number += 1;
    return `${other}Kind${number}`;
  }

  #isTaken(name: string): boolean {
    return name in this.schemas || this.#reserved.has(name);
  }
}

/** `conversation.send` as `ConversationSend`. */
export function pascal(text: string): string {
  return text
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== "")
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("");
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isNull(value: unknown): boolean {
  return isNode(value) && value["type"] === "null";
}

function isObject(node: Node): boolean {
  return node["type"] === "object" && isNode(node["properties"]);
}

/** Objects, choices and unions. A name for a mere text would hide what it is. */
function isWorthAName(node: Node): boolean {
  return node["type"] === "object" || "enum" in node || "anyOf" in node || "oneOf" in node;
}

/** What a schema says apart from its place, and its exported name. */
function described(node: Node): { key: string; name: string | undefined } {
  const name = node[NAME_MARK];
  const key = JSON.stringify(without(node, { ...annotations(node), [NAME_MARK]: true }));
  return { key, name: typeof name === "string" ? name : undefined };
}

/** Schemas that refer to what surrounds them are equal only where that is the same. */
function scopedKey(key: string, names: Record<string, string>): string {
  return /"\$ref":"#(?:\/\$defs\/|")/.test(key) ? key + JSON.stringify(names) : key;
}

function annotations(node: Node): Node {
  const entries = OF_THE_PLACE.filter((key) => key in node).map((key) => [key, node[key]]);
  return Object.fromEntries(entries) as Node;
}

function without(node: Node, left: Node): Node {
  const entries = Object.entries(node).filter(([key]) => !(key in left));
  return Object.fromEntries(entries) as Node;
}

/** A variant of a union by its kind, else by its number. */
function variantName(item: unknown, index: number): string {
  const numbered = `Form${index + 1}`; // a bare number is what generators append themselves
  if (!isNode(item) || !isNode(item["properties"])) return numbered;
  for (const mark of ["type", "kind", "event", "role"]) {
    const property = item["properties"][mark];
    const value = isNode(property) ? property["const"] : undefined;
    if (typeof value === "string") return pascal(value);
  }
  return numbered;
}

function reference(name: string): string {
  return `#/components/schemas/${name}`;
}

function pointed(value: unknown, names: Record<string, string>): unknown {
  if (typeof value !== "string") return value;
  const name = value === "#" ? value : /^#\/\$defs\/(.+)$/.exec(value)?.[1];
  return name === undefined ? value : reference(names[name] ?? name);
}

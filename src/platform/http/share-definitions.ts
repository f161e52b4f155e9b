/**
 * A part of an OpenAPI document whose schemas' own `$defs` are moved to `components.schemas`: a
 * reference inside a document begins at its root, not at its schema's. Adds them to `schemas`.
 */
export function shareDefinitions(part: unknown, schemas: Record<string, unknown>): unknown {
  const known = new Map<string, Record<string, string>>();
  return shared(part, {});

  function shared(node: unknown, names: Record<string, string>): unknown {
    if (Array.isArray(node)) return node.map((item) => shared(item, names));
    if (typeof node !== "object" || node === null) return node;
    const { $defs, ...rest } = node as { $defs?: Record<string, unknown> };
    const within = $defs ? namesOf($defs) : names;
    return Object.fromEntries(
      Object.entries(rest).map(([key, value]) => [
        key,
        key === "$ref" ? pointed(value, within) : shared(value, within),
      ]),
    );
  }

  /** The same definitions of several schemas are there once. */
  function namesOf(definitions: Record<string, unknown>): Record<string, string> {
    const text = JSON.stringify(definitions);
    const before = known.get(text);
    if (before) return before;
    const names: Record<string, string> = {};
    for (const name of Object.keys(definitions)) {
      names[name] = `Shared${Object.keys(schemas).length}`;
      // taken before what lies in it is named
      schemas[names[name]] = {};
    }
    known.set(text, names);
    for (const [name, definition] of Object.entries(definitions))
      schemas[names[name] ?? ""] = shared(definition, names);
    return names;
  }
}

function pointed(reference: unknown, names: Record<string, string>): unknown {
  const name = typeof reference === "string" ? /^#\/\$defs\/(.+)$/.exec(reference)?.[1] : undefined;
  return name === undefined ? reference : `#/components/schemas/${names[name] ?? name}`;
}

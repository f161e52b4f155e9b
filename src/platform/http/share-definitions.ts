/**
 * Returns a part of an OpenAPI document with the `$defs` of its schemas moved to `schemas`
 * (`components.schemas`), because a reference in a document starts at the document's root.
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

  /** Equal definitions of several schemas share one name. */
  function namesOf(definitions: Record<string, unknown>): Record<string, string> {
    const text = JSON.stringify(definitions);
    const before = known.get(text);
    if (before) return before;
    const names: Record<string, string> = {};
    for (const name of Object.keys(definitions)) {
      names[name] = `Shared${Object.keys(schemas).length}`;
      // reserve the name before naming nested definitions
      schemas[names[name]] = {};
    }
    known.set(text, names);
    for (const [name, definition] of Object.entries(definitions))
      schemas[names[name] ?? ""] = shared(definition, names);
    return names;
  }
}

function pointed(reference: unknown, names: Record<string, string>): unknown {
  const name =
    typeof reference === "string" ? /^#\/\$defs\/(.+)$/.exec(reference)?.[1] : undefined;
  return name === undefined ? reference : `#/components/schemas/${names[name] ?? name}`;
}

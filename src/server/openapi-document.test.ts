import { beforeAll, expect, test } from "vitest";
import { SERVICE_DESCRIPTIONS } from "./service-descriptions.ts";
import { describeApi } from "./load-contracts.ts";

interface Node {
  properties?: Record<string, object>;
}

interface Document {
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, { operationId: string; description: string }>>;
  components: { schemas: Record<string, object> };
}

let document: Document;
let text: string;

beforeAll(async () => {
  document = (await describeApi()) as Document;
  text = JSON.stringify(document);
}, 600_000);

test("a default is that of its place: optional fields of a change have none", () => {
  const schemas = document.components.schemas as Record<string, Node>;
  const typeOf = (name: string) => schemas[name]?.properties?.["type"];
  expect(typeOf("NewAgent")).toMatchObject({ default: "simple" });
  expect(typeOf("AgentChange")).toBeDefined();
  expect(typeOf("AgentChange")).not.toHaveProperty("default");
  const withDefault = Object.entries(schemas).filter(([, schema]) => "default" in schema);
  expect(withDefault).toEqual([]);
});

test("every operation has an id of its own and a description, and every service too", () => {
  const operations = Object.values(document.paths).flatMap((path) => Object.values(path));
  const ids = operations.map(({ operationId }) => operationId);
  expect(new Set(ids).size).toBe(ids.length);
  expect(operations.filter(({ description }) => !description.endsWith("."))).toEqual([]);
  const undescribed = document.tags.filter(({ name }) => !(name in SERVICE_DESCRIPTIONS));
  expect(undescribed).toEqual([]);
});

test("every reference leads somewhere", () => {
  const references = [...text.matchAll(/"\$ref":"#\/([^"]+)"/g)].map(
    ([, one]) => one ?? "",
  );
  expect(references.length).toBeGreaterThan(1000);
  for (const reference of new Set(references)) {
    const target = reference
      .split("/")
      .reduce<unknown>((node, step) => (node as Record<string, unknown>)[step], document);
    expect({ reference, target }).toEqual({ reference, target: expect.any(Object) });
    expect(Object.keys(target as object)).not.toEqual([]);
  }
});

test("no object is described twice: what occurs more than once has a name", () => {
  const anonymous = new Map<string, string>();
  const twice: string[] = [];
  visit(document.paths, "paths");
  visit(Object.values(document.components.schemas).map(propertiesOf), "schemas");
  expect(twice).toEqual([]);

  function visit(node: unknown, path: string): void {
    if (typeof node !== "object" || node === null) return;
    const { type, properties, required } = node as Record<string, unknown>;
    if (type === "object" && typeof properties === "object") {
      const key = JSON.stringify({ properties, required });
      const before = anonymous.get(key);
      if (before !== undefined) twice.push(`${before} and ${path}`);
      anonymous.set(key, path);
    }
    for (const [name, value] of Object.entries(node)) visit(value, `${path}/${name}`);
  }
});

test("generators read it: names are plain, no path ends with a slash, a type is one", () => {
  for (const name of Object.keys(document.components.schemas))
    expect(name).toMatch(/^[A-Z][A-Za-z0-9]*$/);
  expect(Object.keys(document.paths).filter((path) => path.endsWith("/"))).toEqual([]);
  expect(text).not.toContain('"type":[');
  expect(text).not.toContain('"x-name"');
});

test("linters read it: no pattern needs Unicode's properties, and each `$ref` is a reference", () => {
  // some read patterns without the flag `u`, and Python's know no \\p
  expect([...text.matchAll(/"pattern":"[^"]*\\\\p\{[^"]*"/g)].map(([one]) => one)).toEqual(
    [],
  );
  expect([...text.matchAll(/"\$ref":"(?!#\/)[^"]*"/g)].map(([one]) => one)).toEqual([]);
});

/** A component is named; what is in it is visited. */
function propertiesOf(schema: object): unknown {
  return Object.values(schema);
}

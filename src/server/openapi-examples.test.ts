import { Ajv2020 } from "ajv/dist/2020.js";
import { beforeAll, expect, test } from "vitest";
import type { AnyRoute } from "../platform/http/route.ts";
import { describeApi, loadContracts } from "./load-contracts.ts";

type Content = Record<string, { schema: object; example?: unknown }>;

interface Operation {
  requestBody?: { content: Content };
  responses: Record<string, { content?: Content }>;
}

interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, object> };
}

let document: Document;
const operations: { name: string; route: AnyRoute; described: Operation }[] = [];

beforeAll(async () => {
  document = (await describeApi()) as Document;
  for (const { name, contract } of await loadContracts())
    for (const [key, route] of Object.entries(contract)) {
      const path = route.path.replace(/:(\w+)/g, "{$1}");
      const described = document.paths[path]?.[route.method];
      if (described) operations.push({ name: `${name}.${key}`, route, described });
    }
}, 600_000);

/** The JSON bodies that are not any value at all. */
function examplesOf(content: Content | undefined): { schema: object; example?: unknown }[] {
  return Object.entries(content ?? {})
    .filter(([type]) => type.endsWith("json") && !type.includes("ndjson"))
    .map(([, body]) => body)
    .filter(({ schema }) => Object.keys(schema).length > 0);
}

test("each JSON body of a request has an example that its route accepts", () => {
  const wrong: unknown[] = [];
  let count = 0;
  for (const { name, route, described } of operations)
    for (const { example } of examplesOf(described.requestBody?.content)) {
      count += 1;
      const parsed = route.body?.safeParse(example);
      if (!parsed?.success) wrong.push({ name, example, issues: parsed?.error?.issues });
    }
  expect(wrong).toEqual([]);
  expect(count).toBeGreaterThan(150);
});

test("each JSON answer of success has an example that its schema describes", () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema({ $id: "api", components: document.components });
  const wrong: unknown[] = [];
  let count = 0;
  for (const { name, described } of operations)
    for (const [status, { content }] of Object.entries(described.responses)) {
      if (status >= "300") continue;
      for (const { schema, example } of examplesOf(content)) {
        count += 1;
        const text = JSON.stringify(schema).replaceAll('"#/', '"api#/');
        const isValid = ajv.compile(JSON.parse(text) as object);
        if (example === undefined || !isValid(example))
          wrong.push({ name, example, errors: isValid.errors });
      }
    }
  expect(wrong).toEqual([]);
  expect(count).toBeGreaterThan(350);
});

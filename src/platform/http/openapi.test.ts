import { expect, test } from "vitest";
import { z } from "zod";
import { flagText } from "./bounds.ts";
import { openApi } from "./openapi.ts";
import { route } from "./route.ts";

interface Described {
  paths: Record<
    string,
    Record<
      string,
      {
        parameters: object[];
        requestBody?: { content: Record<string, { schema: object }> };
        responses: Record<string, object>;
      }
    >
  >;
}

test("describes uploads: multipart with fields, or bare bytes, and the headers that the route reads", async () => {
  const contract = {
    take: route({
      method: "post",
      path: "/take",
      access: "public",
      changes: "none",
      raw: true,
      upload: {
        as: ["multipart", "bytes"],
        fields: z.object({ folderId: z.uuid().optional() }),
      },
      headers: { "X-Original-Filename": "its name" },
      summary: "Take a file",
    }),
  };
  const document = (await openApi([{ name: "files", contract }], "1")) as Described;
  const { requestBody, parameters } = document.paths["/take"]?.["post"] ?? {};
  const form = requestBody?.content["multipart/form-data"]?.schema;
  expect(expanded(document, form)).toMatchObject({
    properties: {
      folderId: { type: "string" },
      file: { type: "string", format: "binary" },
    },
    required: ["file"],
  });
  expect(requestBody?.content["application/octet-stream"]?.schema).toEqual({
    type: "string",
    format: "binary",
  });
  expect(parameters).toEqual([
    {
      name: "X-Original-Filename",
      in: "header",
      description: "its name",
      schema: { type: "string" },
    },
  ]);
});

test("moves a recursive schema to where references in the document find it", async () => {
  const contract = {
    take: route({
      method: "post",
      path: "/take",
      access: "public",
      changes: "none",
      summary: "Take JSON",
      query: z.object({ filter: z.json().optional() }),
      body: z.object({ value: z.json(), other: z.json() }),
    }),
  };
  const document = await openApi([{ name: "values", contract }], "1");
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(
    ([, reference]) => reference ?? "",
  );
  expect(references.length).toBeGreaterThan(3);
  for (const reference of references)
    expect({ reference, found: resolved(document, reference) }).toEqual({
      reference,
      found: expect.any(Object),
    });
});

/** A part of a document with its references replaced by what they refer to. */
function expanded(document: object, part: unknown): unknown {
  if (Array.isArray(part)) return part.map((item) => expanded(document, item));
  if (typeof part !== "object" || part === null) return part;
  if ("$ref" in part && typeof part.$ref === "string")
    return expanded(document, resolved(document, part.$ref));
  const entries = Object.entries(part).map(([key, value]) => [
    key,
    expanded(document, value),
  ]);
  return Object.fromEntries(entries);
}

/** Returns the target of a reference in a document. */
function resolved(document: object, reference: string): unknown {
  const steps = /^#\/(.+)$/.exec(reference)?.[1]?.split("/") ?? [""];
  return steps.reduce<unknown>(
    (node, step) => (node as Record<string, unknown> | undefined)?.[step],
    document,
  );
}

test("describes a route's successes, its own failures and the shared ones", async () => {
  const contract = {
    lock: route({
      method: "post",
      path: "/locks/:id",
      access: "jwt",
      changes: "none",
      summary: "Lock it",
      params: z.object({ id: z.string() }),
      status: 201,
      also: { 200: "Renewed." },
      failures: { 423: "Another user holds it." },
      ok: z.object({ id: z.string() }),
    }),
    file: route({
      method: "get",
      path: "/file",
      access: "public",
      summary: "A file",
      produces: ["application/pdf"],
    }),
  };
  const { paths, components } = (await openApi([{ name: "locks", contract }], "1")) as {
    paths: Record<string, Record<string, { responses: Record<string, object> }>>;
    components: { responses: Record<string, object> };
  };
  const lock = paths["/locks/{id}"]?.["post"]?.responses ?? {};
  expect(Object.keys(lock)).toEqual(
    expect.arrayContaining(["200", "201", "401", "404", "423", "502", "504"]),
  );
  expect(lock["200"]).toMatchObject({ description: "Renewed.", content: {} });
  expect(lock["401"]).toEqual({ $ref: "#/components/responses/Unauthorized" });
  expect(components.responses["Unauthorized"]).toBeDefined();
  const file = paths["/file"]?.["get"]?.responses ?? {};
  expect(Object.keys(file)).toEqual(["200", "431", "503", "default"]);
  expect(file["200"]).toMatchObject({
    content: { "application/pdf": { schema: { format: "binary" } } },
  });
});

test("describes an event of a stream as sent: a name, and data as JSON", async () => {
  const contract = {
    watch: route({
      method: "get",
      path: "/watch",
      access: "public",
      summary: "Watch",
      stream: "sse",
      events: z.discriminatedUnion("type", [
        z.object({ type: z.literal("text"), delta: z.string() }),
        z.object({ type: z.literal("done") }),
      ]),
    }),
  };
  const document = (await openApi([{ name: "streams", contract }], "1")) as Described;
  const answer = document.paths["/watch"]?.["get"]?.responses["200"];
  expect(expanded(document, answer)).toMatchObject({
    content: {
      "text/event-stream": {
        schema: {
          oneOf: [
            {
              properties: {
                event: { const: "text" },
                data: { contentSchema: { properties: { delta: { type: "string" } } } },
              },
            },
            { properties: { event: { const: "done" } } },
          ],
        },
      },
    },
  });
});

test("describes answers without a body, and streams of protocols of others", async () => {
  const contract = {
    file: route({
      method: "get",
      path: "/file",
      summary: "A file",
      access: "admin",
      headers: { "If-None-Match": "An `ETag`" },
      raw: true,
      produces: ["application/pdf"],
    }),
    follow: route({
      method: "post",
      path: "/follow",
      summary: "A stream",
      access: "admin",
      changes: "none",
      produces: ["text/event-stream"],
    }),
    export: route({
      method: "get",
      path: "/export",
      summary: "A thread as text or as JSON",
      access: "admin",
      raw: true,
      produces: ["text/markdown", "application/json"],
    }),
  };
  const document = (await openApi([{ name: "files", contract }], "1")) as Described;
  const { paths } = document;
  const responses = paths["/file"]?.["get"]?.responses;
  expect(responses?.["304"]).toEqual({ description: expect.any(String) });
  const exported = paths["/export"]?.["get"]?.responses["200"];
  expect(exported).toMatchObject({
    content: { "text/markdown": { schema: { type: "string" } } },
  });
  expect(exported).toHaveProperty("content.application/json", { schema: {} });
  expect(responses?.["200"]).toMatchObject({ content: { "application/pdf": {} } });
  const followed = paths["/follow"]?.["post"]?.responses["200"];
  expect(expanded(document, followed)).toMatchObject({
    content: {
      "text/event-stream": {
        schema: { type: "object", properties: { data: { type: "string" } } },
      },
    },
  });
});

test("describes flags as booleans, headers of the answer, and errors by the statuses that come", async () => {
  const contract = {
    list: route({
      method: "get",
      path: "/list",
      access: "admin",
      query: z.object({ all: flagText().prefault("false") }),
      okHeaders: { "X-Total-Count": "how many" },
      statusOf: (status) => (status > 500 ? 500 : status === 403 ? 401 : status),
      ok: z.array(z.string()),
      summary: "List all",
    }),
  };
  const { paths } = (await openApi([{ name: "lists", contract }], "1")) as Described;
  const { parameters, responses } = paths["/list"]?.["get"] ?? {};
  expect(parameters).toMatchObject([
    { name: "all", required: false, schema: { type: "boolean", default: false } },
  ]);
  expect(responses?.["200"]).toMatchObject({
    headers: { "X-Total-Count": { description: "how many", schema: { type: "string" } } },
  });
  const statuses = ["200", "400", "401", "429", "431", "500", "default"];
  expect(Object.keys(responses ?? {})).toEqual(statuses);
});

interface Components {
  components: { schemas: Record<string, object> };
}

test("names schemas as the code does, and objects that occur more than once by where they do", async () => {
  const Pet = z.object({ name: z.string(), kind: z.enum(["cat", "dog"]) });
  const owner = z.object({ city: z.string() });
  const contract = {
    list: route({
      method: "get",
      path: "/pets",
      access: "public",
      summary: "List pets",
      ok: z.object({ pets: z.array(Pet), owner, before: owner.nullable() }),
    }),
    add: route({
      method: "post",
      path: "/pets",
      access: "public",
      changes: "none",
      summary: "Add a pet",
      body: z.object({ pet: Pet.describe("The new one"), at: z.string().default("now") }),
      ok: Pet,
    }),
  };
  const names = new Map([[Pet, "Pet"]]);
  const document = (await openApi([{ name: "zoo", contract }], "1", {
    names,
  })) as Described & Components;
  const { schemas } = document.components;
  expect(Object.keys(schemas)).toEqual([
    "Error",
    "ZooListResult",
    "Pet",
    "ZooListResultOwner",
    "ZooAddRequest",
  ]);
  expect(document.paths["/pets"]?.["post"]?.responses["200"]).toMatchObject({
    content: { "application/json": { schema: { $ref: "#/components/schemas/Pet" } } },
  });
  expect(schemas["ZooAddRequest"]).toMatchObject({
    properties: {
      pet: { $ref: "#/components/schemas/Pet", description: "The new one" },
    },
  });
  expect(JSON.stringify(document)).not.toContain("x-name");
});

test("keeps two schemas of one name apart, also when it is the name of a response", async () => {
  const first = z.object({ a: z.string() });
  const second = z.object({ b: z.string() });
  const missing = z.object({ c: z.string() });
  const of = (path: string, ok: z.ZodType) =>
    route({ method: "get", path, access: "public", summary: "Read it", ok });
  const names = new Map([
    [first, "Folder"],
    [second, "Folder"],
    [missing, "NotFound"],
  ] as [z.ZodType, string][]);
  const document = await openApi(
    [
      { name: "agents", contract: { read: of("/a", first) } },
      { name: "files", contract: { read: of("/b", second), miss: of("/c", missing) } },
    ],
    "1",
    { names },
  );
  const { schemas } = (document as Components).components;
  expect(schemas["Folder"]).toMatchObject({ properties: { a: {} } });
  expect(schemas["FilesFolder"]).toMatchObject({ properties: { b: {} } });
  expect(schemas["FilesNotFound"]).toMatchObject({ properties: { c: {} } });
});

test("lets a schema that refers to itself refer to its component", async () => {
  interface Tree {
    children: Tree[];
  }
  const tree: z.ZodType<Tree> = z.object({ children: z.lazy(() => z.array(tree)) });
  const read = route({
    method: "get",
    path: "/tree",
    access: "public",
    summary: "Read it",
    ok: tree,
  });
  const document = await openApi([{ name: "trees", contract: { read } }], "1");
  const { schemas } = (document as Components).components;
  expect(schemas["TreesReadResult"]).toMatchObject({
    properties: {
      children: { items: { $ref: "#/components/schemas/TreesReadResult" } },
    },
  });
});

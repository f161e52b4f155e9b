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
  const { paths } = (await openApi([{ name: "files", contract }], "1")) as Described;
  const { requestBody, parameters } = paths["/take"]?.["post"] ?? {};
  expect(requestBody?.content["multipart/form-data"]?.schema).toMatchObject({
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
  const { paths } = (await openApi([{ name: "streams", contract }], "1")) as {
    paths: Record<string, Record<string, { responses: Record<string, object> }>>;
  };
  expect(paths["/watch"]?.["get"]?.responses["200"]).toMatchObject({
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
  };
  const { paths } = (await openApi([{ name: "files", contract }], "1")) as {
    paths: Record<string, Record<string, { responses: Record<string, object> }>>;
  };
  const responses = paths["/file"]?.["get"]?.responses;
  expect(responses?.["304"]).toEqual({ description: expect.any(String) });
  expect(responses?.["200"]).toMatchObject({ content: { "application/pdf": {} } });
  expect(paths["/follow"]?.["post"]?.responses["200"]).toMatchObject({
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

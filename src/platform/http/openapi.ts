import { setImmediate } from "node:timers/promises";
import type { z } from "zod";
import { describeResponses, sharedResponses } from "./openapi-responses.ts";
import { describeUse, securityOf, securitySchemes } from "./openapi-access.ts";
import { exampleOf } from "./openapi-examples.ts";
import { type SchemaNames, schemaOf } from "./openapi-schema.ts";
import { pascal, SharedSchemas } from "./openapi-shared.ts";
import type { AnyRoute, Contract, Upload } from "./route.ts";

/**
 * Builds an OpenAPI 3.1 document from the contracts, whose schemas also validate the requests. It
 * yields to the event loop between routes, since all of them together take long.
 */
export async function openApi(
  services: readonly { name: string; contract: Contract }[],
  version: string,
  {
    names = new Map(),
    descriptions = {},
  }: { names?: SchemaNames; descriptions?: Readonly<Record<string, string>> } = {},
): Promise<object> {
  const paths: Paths = {};
  const responses = sharedResponses();
  const shared = new SharedSchemas({ Error: ERROR }, Object.keys(responses));
  for (const { name, contract } of services) {
    for (const [operation, route] of Object.entries(contract)) {
      if (route.hidden) continue;
      await setImmediate();
      const path = route.path.replace(/:(\w+)/g, "{$1}");
      const described = describeRoute(name, operation, route, names);
      shared.count(described);
      (paths[path] ??= {})[route.method] = described;
    }
  }
  // an answer takes the plain name of a schema that is read in another form than it is sent
  for (const part of ["responses", "requestBody", "parameters"] as const) {
    for (const operation of Object.values(paths).flatMap((path) => Object.values(path))) {
      await setImmediate();
      shareSchemas(operation, part, shared);
    }
  }
  for (const operation of Object.values(paths).flatMap((path) => Object.values(path))) {
    await setImmediate();
    addExamples(operation, shared.schemas);
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Parlance",
      version,
      description: "A self-hosted AI assistant platform for organisations.",
      contact: { name: "The administrators of this installation" },
      license: { name: "Apache 2.0", identifier: "Apache-2.0" },
    },
    // relative to the address at which this document was read
    servers: [{ url: "/" }],
    tags: services.map(({ name }) => ({
      name,
      description: descriptions[name] ?? `The service ${name}.`,
    })),
    paths,
    components: {
      securitySchemes: securitySchemes(),
      schemas: shared.schemas,
      responses,
    },
  };
}

type Paths = Record<string, Record<string, Operation>>;

interface Operation {
  operationId: string;
  tags: string[];
  parameters: { name: string; schema: object }[];
  requestBody?: { content: Content };
  responses: Record<string, { content?: Content }>;
}

type Content = Record<string, { schema: unknown; example?: unknown }>;

const JSON_TYPES = /^application\/(?:[\w.-]+\+)?json$/;
const EVENT_TYPES = /event-stream|ndjson/;

function shareSchemas(
  operation: Operation,
  part: "responses" | "requestBody" | "parameters",
  shared: SharedSchemas,
): void {
  const hint = pascal(operation.operationId);
  const area = pascal(operation.tags[0] ?? "");
  const shareContent = (content: Content | undefined, name: string) => {
    for (const [type, body] of Object.entries(content ?? {})) {
      const named = EVENT_TYPES.test(type) ? `${hint}Event` : name;
      body.schema = shared.share(body.schema, named, area, true);
    }
  };
  if (part === "requestBody")
    return shareContent(operation.requestBody?.content, `${hint}Request`);
  if (part === "parameters") {
    for (const parameter of operation.parameters)
      parameter.schema = shared.share(
        parameter.schema,
        hint + pascal(parameter.name),
        area,
      ) as object; // a schema is shared as a schema
    return;
  }
  // `Response` ends the names that generators give to whole answers, headers included
  for (const [status, { content }] of Object.entries(operation.responses))
    shareContent(content, `${hint}${status < "300" ? "Result" : "Failure"}`);
}

/** A body of JSON has an example, of the request and of its success. */
function addExamples(operation: Operation, schemas: SharedSchemas["schemas"]): void {
  const add = (content: Content | undefined, direction: "sent" | "answered") => {
    for (const [type, body] of Object.entries(content ?? {})) {
      if (!JSON_TYPES.test(type) || "example" in body) continue;
      const example = exampleOf(body.schema, schemas, direction);
      if (example !== undefined) body.example = example;
    }
  };
  add(operation.requestBody?.content, "sent");
  for (const [status, { content }] of Object.entries(operation.responses))
    if (status < "300") add(content, "answered");
}

const ERROR = {
  type: "object",
  required: ["error", "code", "requestId"],
  properties: {
    error: { type: "string", description: "One sentence that a person can act on." },
    code: { type: "string", description: "Stable, snake_case." },
    details: {},
    params: {
      type: "object",
      description:
        "The values in the sentence, by which clients say it in another language.",
      additionalProperties: { anyOf: [{ type: "string" }, { type: "number" }] },
    },
    requestId: { type: "string" },
  },
};

function describeRoute(
  service: string,
  operation: string,
  route: AnyRoute,
  names: SchemaNames,
): Operation {
  return {
    operationId: `${service}.${operation}`,
    tags: [service],
    summary: route.summary,
    description: [route.description, describeUse(route)].filter(Boolean).join("\n\n"),
    ...(route.permission && { "x-permission": route.permission }),
    parameters: [
      ...parameters("path", route.params, names),
      ...parameters("query", route.query, names),
      ...Object.entries(route.headers ?? {}).map(([name, description]) => ({
        name,
        in: "header",
        description,
        schema: { type: "string" },
      })),
    ],
    ...(route.body && {
      requestBody: {
        required: true,
        content: {
          [route.mediaType ?? "application/json"]: {
            schema: schemaOf(route.body, "input", names),
            ...("example" in route && { example: route.example as unknown }),
          },
        },
      },
    }),
    ...(route.upload && {
      requestBody: { required: true, content: uploadContent(route.upload, names) },
    }),
    responses: describeResponses(route, names),
    security: securityOf(route.access),
  };
}

function uploadContent(
  { as, fields, files = { file: "one" } }: Upload,
  names: SchemaNames,
): Content {
  const bytes = { type: "string", format: "binary" };
  const { properties = {} } = (fields ? schemaOf(fields, "input", names) : {}) as {
    properties?: object;
  };
  const parts = Object.entries(files).map(([name, count]) => [
    name,
    count === "one" ? bytes : { type: "array", items: bytes },
  ]);
  return {
    ...(as.includes("multipart") && {
      "multipart/form-data": {
        schema: {
          type: "object",
          properties: { ...properties, ...Object.fromEntries(parts) },
          required: Object.keys(files).slice(0, 1),
        },
      },
    }),
    ...(as.includes("bytes") && { "application/octet-stream": { schema: bytes } }),
  };
}

function parameters(
  where: "path" | "query",
  schema: z.ZodType | undefined,
  names: SchemaNames,
): Operation["parameters"] {
  if (schema === undefined) return [];
  const {
    properties = {},
    required = [],
    $defs,
  } = schemaOf(schema, "input", names) as {
    properties?: Record<string, object>;
    required?: string[];
    $defs?: object;
  };
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: where,
    // generators of Go name an argument so, beside one that they call `server` themselves
    ...(name === "server" && { "x-go-name": "ToolServer" }),
    required: where === "path" || required.includes(name),
    schema: $defs ? { ...property, $defs } : property,
  }));
}

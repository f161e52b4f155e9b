import { setImmediate } from "node:timers/promises";
import type { z } from "zod";
import { SECRET_HEADERS } from "./access.ts";
import { describeResponses, sharedResponses } from "./openapi-responses.ts";
import { schemaOf } from "./openapi-schema.ts";
import {
  type Access,
  type AnyRoute,
  type Contract,
  type Upload,
  waysInto,
} from "./route.ts";

/**
 * Builds an OpenAPI 3.1 document from the contracts, whose schemas also validate the requests. It
 * yields to the event loop between services, since all of them together take long.
 */
export async function openApi(
  services: readonly { name: string; contract: Contract }[],
  version: string,
): Promise<object> {
  const paths: Record<string, Record<string, object>> = {};
  for (const { name, contract } of services) {
    await setImmediate();
    for (const [operation, route] of Object.entries(contract)) {
      if (route.hidden) continue;
      const path = route.path.replace(/:(\w+)/g, "{$1}");
      (paths[path] ??= {})[route.method] = describeRoute(name, operation, route);
    }
  }
  const schemas: Record<string, unknown> = { Error: ERROR };
  const described = shareDefinitions(paths, schemas);
  return {
    openapi: "3.1.0",
    info: {
      title: "Parlance",
      version,
      description: "A self-hosted AI assistant platform for organisations.",
    },
    // relative to the address at which this document was read
    servers: [{ url: "/" }],
    tags: services.map(({ name }) => ({ name })),
    paths: described,
    components: {
      securitySchemes: securitySchemes(),
      schemas,
      responses: sharedResponses(),
    },
  };
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
      additionalProperties: { type: ["string", "number"] },
    },
    requestId: { type: "string" },
  },
};

function describeRoute(service: string, operation: string, route: AnyRoute): object {
  const content = (schema: object, type = "application/json") => ({ [type]: { schema } });
  return {
    operationId: `${service}.${operation}`,
    tags: [service],
    summary: route.summary,
    ...(route.description && { description: route.description }),
    ...(route.permission && { "x-permission": route.permission }),
    parameters: [
      ...parameters("path", route.params),
      ...parameters("query", route.query),
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
        content: content(schemaOf(route.body, "input"), route.mediaType),
      },
    }),
    ...(route.upload && {
      requestBody: { required: true, content: uploadContent(route.upload) },
    }),
    responses: describeResponses(route),
    security: securityOf(route.access),
  };
}

function uploadContent({ as, fields }: Upload): object {
  const bytes = { type: "string", format: "binary" };
  const { properties = {} } = (fields ? schemaOf(fields, "input") : {}) as {
    properties?: object;
  };
  return {
    ...(as.includes("multipart") && {
      "multipart/form-data": {
        schema: {
          type: "object",
          properties: { ...properties, file: bytes },
          required: ["file"],
        },
      },
    }),
    ...(as.includes("bytes") && { "application/octet-stream": { schema: bytes } }),
  };
}

function parameters(where: "path" | "query", schema: z.ZodType | undefined): object[] {
  if (schema === undefined) return [];
  const {
    properties = {},
    required = [],
    $defs,
  } = schemaOf(schema, "input") as {
    properties?: Record<string, object>;
    required?: string[];
    $defs?: object;
  };
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: where,
    required: where === "path" || required.includes(name),
    schema: $defs ? { ...property, $defs } : property,
  }));
}

function securityOf(access: Access | readonly Access[]): object[] {
  const token = { accessToken: [] };
  const key = { apiKey: [] };
  const requirements = waysInto({ access }).flatMap((way): object[] => {
    if (way === "public") return [{}];
    if (way === "local") return [];
    // PORT, which the document describes, asks for a credential
    if (way === "internal") return [{ "service-secret": [] }, token, key];
    if (way === "jwt") return [token, key];
    if (way === "admin" || way === "operator") return [{ accessToken: ["admin"] }, key];
    if (way === "session" || way === "agent-jwt") return [token];
    if (way === "key" || way === "flow-key") return [key];
    return [{ [way]: [] }];
  });
  return [...new Map(requirements.map((one) => [JSON.stringify(one), one])).values()];
}

function securitySchemes(): object {
  const secrets = Object.entries(SECRET_HEADERS).map(([name, header]) => [
    name,
    header === "authorization"
      ? { type: "http", scheme: "bearer" }
      : { type: "apiKey", in: "header", name: header },
  ]);
  return {
    accessToken: { type: "http", scheme: "bearer", bearerFormat: "JWT" },
    apiKey: { type: "apiKey", in: "header", name: "X-API-Key" },
    "scim-token": { type: "http", scheme: "bearer" },
    ...Object.fromEntries(secrets),
  };
}

/**
 * Returns a part of an OpenAPI document with the `$defs` of its schemas moved to `schemas`
 * (`components.schemas`), because a reference in a document starts at the document's root.
 */
function shareDefinitions(part: unknown, schemas: Record<string, unknown>): unknown {
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

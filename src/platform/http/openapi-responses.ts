import { NAME_MARK, type SchemaNames, schemaOf } from "./openapi-schema.ts";
import { type AnyRoute, waysInto } from "./route.ts";

type Content = Record<string, { schema: unknown }>;
type Described = Record<
  string,
  { description?: string; headers?: object; content?: Content; $ref?: string }
>;

interface JsonSchema {
  [NAME_MARK]?: string;
  oneOf?: JsonSchema[];
  anyOf?: JsonSchema[];
  $defs?: object;
  properties?: Record<string, object>;
  required?: string[];
}

const RETRY_AFTER = {
  "Retry-After": { description: "Seconds to wait.", schema: { type: "string" } },
};

/** Failures that many routes share: the cause, and the routes to which they apply. */
const FAILURES: Record<
  number,
  { name: string; when: string; on: (route: AnyRoute) => boolean; headers?: object }
> = {
  400: {
    name: "BadRequest",
    when: "The request is not valid; `details` names each field that is wrong.",
    on: ({ params, query, body, raw }) => Boolean(params ?? query ?? body ?? raw),
  },
  401: {
    name: "Unauthorized",
    when: "There is no credential, or it is not valid.",
    on: (route) => !isOpen(route),
  },
  403: {
    name: "Forbidden",
    when: "The credential is valid but does not permit this.",
    on: (route) => !isOpen(route),
  },
  404: {
    name: "NotFound",
    when: "It does not exist, or is not the caller's to see.",
    on: ({ params, body }) => Boolean(params ?? body),
  },
  408: { name: "RequestTimeout", when: "The body came too slowly.", on: takesBody },
  409: {
    name: "Conflict",
    when: "The present state does not allow it; the sentence says what to do.",
    on: ({ method }) => method !== "get",
  },
  413: {
    name: "TooLarge",
    when: "The body is larger than this route takes.",
    on: takesBody,
  },
  415: {
    name: "UnsupportedType",
    when: "The body is of another media type.",
    on: takesBody,
  },
  429: {
    name: "TooManyRequests",
    when: "A limit is reached.",
    on: (route) => !isProbe(route),
    headers: RETRY_AFTER,
  },
  502: {
    name: "BadGateway",
    when: "Another server, such as a model provider, failed or refused the call.",
    on: (route) => !isProbe(route),
  },
  503: {
    name: "Unavailable",
    when: "A part that is needed is down or busy.",
    on: () => true,
    headers: RETRY_AFTER,
  },
  504: {
    name: "GatewayTimeout",
    when: "Another server, such as a model provider, did not answer in time.",
    on: (route) => !isProbe(route),
  },
};

/** `components.responses`: what each shared failure looks like. */
export function sharedResponses(): Described {
  const entries = Object.values(FAILURES).map(({ name, when, headers }) => [
    name,
    { description: when, ...(headers && { headers }), content: errorContent() },
  ]);
  return {
    ...Object.fromEntries(entries),
    Failure: { description: "Any other failure.", content: errorContent() },
  };
}

/** Describes every answer of a route: successes, its own failures, and shared failures. */
export function describeResponses(route: AnyRoute, names: SchemaNames): Described {
  const described: Described = { ...successes(route, names) };
  for (const [key, { name, on }] of Object.entries(FAILURES)) {
    const status = Number(key);
    if (on(route))
      described[route.statusOf?.(status) ?? status] ??= failure(route, name, names);
  }
  for (const [status, when] of Object.entries(route.failures ?? {}))
    described[status] = { description: when, content: errorContent(route, names) };
  if (route.headers && "If-None-Match" in route.headers)
    described["304"] = { description: "The client has this version. There is no body." };
  // answered before a request reaches its route
  described["431"] = {
    description: "The headers, or the URL, are longer than 32 KB.",
    content: errorContent(),
  };
  described["default"] = failure(route, "Failure", names);
  return described;
}

function successes(route: AnyRoute, names: SchemaNames): Described {
  const content = {
    ...(route.ok && {
      [route.mediaType ?? "application/json"]: {
        schema: schemaOf(route.ok, "output", names),
      },
    }),
    ...(route.stream && streamContent(route, names)),
    ...Object.fromEntries(
      (route.produces ?? []).map((type) => [type, { schema: bodyOfType(type) }]),
    ),
  };
  const answersBody = Object.keys(content).length > 0;
  const status = route.status ?? (answersBody || route.raw ? 200 : 204);
  const success = (description: string, hasBody = answersBody) => ({
    description,
    ...(route.okHeaders && { headers: describeHeaders(route.okHeaders) }),
    ...(hasBody && { content }),
  });
  const others = Object.entries(route.also ?? {}).map(([code, when]) => [
    code,
    // a redirect, and what has not changed, have none
    success(when, answersBody && Number(code) < 300),
  ]);
  return { [status]: success("Success"), ...(Object.fromEntries(others) as Described) };
}

function describeHeaders(headers: Readonly<Record<string, string>>): object {
  const entries = Object.entries(headers).map(([name, description]) => [
    name,
    { description, schema: { type: "string" } },
  ]);
  return Object.fromEntries(entries);
}

function streamContent({ stream, events }: AnyRoute, names: SchemaNames): object {
  const schema = events ? schemaOf(events, "output", names) : {};
  return stream === "sse"
    ? { "text/event-stream": { schema: serverSentEvents(schema) } }
    : { "application/x-ndjson": { schema } };
}

/** One server-sent event: the event's `type` is its name, the rest its data as JSON. */
function serverSentEvents(schema: JsonSchema): object {
  const { oneOf, anyOf, $defs } = schema;
  const variants = (oneOf ?? anyOf ?? [schema]).map(
    ({ properties = {}, [NAME_MARK]: name, ...variant }) => {
      const { type, ...fields } = properties;
      const contentSchema = {
        ...variant,
        properties: fields,
        required: without(variant.required),
      };
      return {
        ...(name !== undefined && { [NAME_MARK]: `${name}Sent` }),
        type: "object",
        required: ["event", "data"],
        properties: {
          event: type ?? { type: "string" },
          data: { type: "string", contentMediaType: "application/json", contentSchema },
          id: { type: "string" },
        },
      };
    },
  );
  const [first, ...others] = variants;
  const all = others.length > 0 ? { oneOf: variants } : first;
  return { ...all, ...($defs && { $defs }) };
}

const TEXT = { type: "string" };
const EVENT_FIELDS = { event: TEXT, data: TEXT, id: TEXT };

const without = (required: readonly string[] = []) =>
  required.filter((name) => name !== "type");

function bodyOfType(type: string): object {
  // of protocols of others, whose data is a line of JSON or a mark
  if (type === "text/event-stream")
    return { type: "object", required: ["data"], properties: EVENT_FIELDS };
  // any value of JSON: a route that knows more says it with `ok`
  if (type === "application/json") return {};
  return /^text\/|json|xml/.test(type)
    ? { type: "string" }
    : { type: "string", format: "binary" };
}

function failure(route: AnyRoute, name: string, names: SchemaNames): object {
  if (!route.errorSchema) return { $ref: `#/components/responses/${name}` };
  const when = Object.values(FAILURES).find((shared) => shared.name === name)?.when;
  return { description: when ?? "Any other failure.", content: errorContent(route, names) };
}

function errorContent(route?: AnyRoute, names?: SchemaNames): Content {
  const schema = route?.errorSchema
    ? schemaOf(route.errorSchema, "output", names)
    : { $ref: "#/components/schemas/Error" };
  return { [route?.mediaType ?? "application/json"]: { schema } };
}

function takesBody({ body, upload, raw, method }: AnyRoute): boolean {
  return Boolean(body ?? upload ?? (raw && method !== "get"));
}

/** Whether a route asks for no credential at all. */
function isOpen(route: AnyRoute): boolean {
  return waysInto(route).every((way) => way === "public");
}

/** Health, metrics and the document itself have no limits of their own. */
function isProbe(route: AnyRoute): boolean {
  const isForProbes = waysInto(route).some((way) => way === "public" || way === "local");
  return isForProbes && route.method === "get" && !route.params;
}

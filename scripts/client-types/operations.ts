import { comment, nameOf, type Schema, toKey, TypeWriter } from "./types.ts";

export interface ApiDocument {
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}

interface Operation {
  operationId: string;
  tags: string[];
  summary: string;
  description: string;
  parameters: { name: string; in: string; required?: boolean; schema: Schema }[];
  requestBody?: { content: Content };
  responses: Record<string, { content?: Content }>;
  security: Record<string, unknown>[];
}

type Content = Record<string, { schema: Schema }>;

/** An operation as the client sees it. */
interface Described {
  group: string;
  name: string;
  /** The row of the table at run time. */
  row: Record<string, unknown>;
  type: string;
  doc: string;
}

const EVENT_STREAM = "text/event-stream";
const LINES = "application/x-ndjson";
const JSON_TYPE = "application/json";
const FORM = "multipart/form-data";
const PUBLIC = "{}";

/** The types of all operations for clients, and the table by which they are called. */
export function writeOperations(document: ApiDocument): {
  types: string;
  table: string;
  schemas: ReadonlySet<string>;
} {
  const writer = new TypeWriter();
  const groups = new Map<string, Described[]>();
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      if (!isForClients(operation)) continue;
      const described = describe(document, writer, { path, method, operation });
      groups.set(described.group, [...(groups.get(described.group) ?? []), described]);
    }
  }
  return {
    types: typesOf(groups, document, writer),
    table: tableOf(groups),
    schemas: writer.used,
  };
}

/** Whether users and their programs may call it, not only services and identity providers. */
function isForClients({ security, responses, tags }: Operation): boolean {
  const ways = security.flatMap((way) =>
    Object.keys(way).length > 0 ? Object.keys(way) : [PUBLIC],
  );
  const isOpen = ways.some((way) => ["accessToken", "apiKey", PUBLIC].includes(way));
  return isOpen && tags.length > 0 && okOf(responses) !== undefined;
}

function describe(
  document: ApiDocument,
  writer: TypeWriter,
  { path, method, operation }: { path: string; method: string; operation: Operation },
): Described {
  const [tag = "", name = ""] = operation.operationId.split(".");
  const content = okOf(operation.responses) ?? {};
  const body = bodyOf(operation);
  const answer = answerOf(content, operation, document, writer);
  const headers = operation.parameters.filter((one) => one.in === "header");
  const has = (header: string) => headers.some((one) => one.name === header);
  const input = inputOf(operation, body, writer);
  return {
    group: camel(tag),
    name,
    row: {
      method: method.toUpperCase(),
      path,
      ...(body && body.as !== "json" && { sends: body.as }),
      ...answer.row,
      ...(has("Idempotency-Key") && { once: true }),
      ...(has("Last-Event-ID") && { resumes: true }),
    },
    type: answer.type(input),
    doc: comment({
      description: `${operation.summary}.\n\n${operation.description}`,
    }),
  };
}

/** How the answer of an operation is read, as a row and as a type around its input. */
function answerOf(
  content: Content,
  operation: Operation,
  document: ApiDocument,
  writer: TypeWriter,
): { row: object; type: (input: string) => string } {
  const json = content[JSON_TYPE]?.schema;
  const events = content[EVENT_STREAM]?.schema;
  const types = Object.keys(content);
  if (types.length === 0)
    return { row: { gives: "nothing" }, type: (input) => `Call<${input}, void>` };
  if (events && !json) {
    const event = eventType(events, document, writer);
    return { row: { gives: "events" }, type: (input) => `StreamCall<${input}, ${event}>` };
  }
  if (events && json) {
    const event = eventType(events, document, writer);
    const answer = writer.write(json);
    return {
      row: { gives: "json-or-events" },
      type: (input) => `JsonOrStreamCall<${input}, ${answer}, ${event}>`,
    };
  }
  const lines = content[LINES]?.schema;
  if (lines && types.length === 1) {
    const line = writer.write(lines);
    return { row: { gives: "lines" }, type: (input) => `LinesCall<${input}, ${line}>` };
  }
  // a file, or one of several forms that only the answer's media type shows
  if (!json || types.length > 1)
    return { row: { gives: "file" }, type: (input) => `Call<${input}, Response>` };
  const answer = writer.write(json);
  const pages = pagesOf(json, operation, document);
  if (!pages)
    return { row: { gives: "json" }, type: (input) => `Call<${input}, ${answer}>` };
  const item = writer.write(pages.item);
  return {
    row: { gives: "json", pages: pages.by },
    type: (input) => `PagedCall<${input}, ${answer}, ${item}>`,
  };
}

/** By which field of the query the next page is asked for. */
function pagesOf(
  answer: Schema,
  { parameters }: Operation,
  { components }: ApiDocument,
): { by: "page" | "cursor" | "after"; item: Schema } | undefined {
  const { properties = {} } = answer.$ref
    ? (components.schemas[nameOf(answer.$ref)] ?? {})
    : answer;
  const asks = (name: string) =>
    parameters.some((one) => one.in === "query" && one.name === name);
  const items = properties["items"]?.items;
  if (items && asks("cursor") && properties["next"]) return { by: "cursor", item: items };
  if (items && asks("page") && properties["total"]) return { by: "page", item: items };
  const data = properties["data"]?.items;
  if (data && asks("after") && properties["last_id"]) return { by: "after", item: data };
  return undefined;
}

/**
 * A server-sent event as the client gives it: its name and id as they are, its data read from JSON.
 */
function eventType(schema: Schema, document: ApiDocument, writer: TypeWriter): string {
  const resolved = schema.$ref
    ? (document.components.schemas[nameOf(schema.$ref)] ?? {})
    : schema;
  const forms = resolved.oneOf ?? resolved.anyOf;
  if (forms)
    return [...new Set(forms.map((form) => eventType(form, document, writer)))].join(" | ");
  const { event = { type: "string" }, data } = resolved.properties ?? {};
  const value = data?.contentSchema ? writer.write(data.contentSchema) : "unknown";
  return `ServerEvent<${writer.write(event)}, ${value}>`;
}

function bodyOf({
  requestBody,
}: Operation): { as: "json" | "form" | "bytes"; schema: Schema } | undefined {
  if (!requestBody) return undefined;
  const { [JSON_TYPE]: json, [FORM]: form } = requestBody.content;
  if (json) return { as: "json", schema: json.schema };
  if (form) return { as: "form", schema: form.schema };
  return { as: "bytes", schema: {} };
}

function inputOf(
  { parameters }: Operation,
  body: ReturnType<typeof bodyOf>,
  writer: TypeWriter,
): string {
  const parts: string[] = [];
  for (const [where, key] of [
    ["path", "params"],
    ["query", "query"],
  ] as const) {
    const of = parameters.filter((one) => one.in === where);
    if (of.length === 0) continue;
    const required = of.filter((one) => one.required).map((one) => one.name);
    const properties = Object.fromEntries(of.map((one) => [one.name, one.schema]));
    const fields = writer.fields({ properties, required });
    parts.push(`${key}${required.length > 0 ? "" : "?"}: ${fields};`);
  }
  const { as, schema = {} } = body ?? {};
  if (as === "json") {
    const optional = "default" in schema || isOptional(schema) ? "?" : "";
    parts.push(`body${optional}: ${writer.write(schema)};`);
  }
  if (as === "form") parts.push(`form: ${writer.write(schema)};`);
  if (as === "bytes") parts.push("bytes: Bytes;");
  return parts.length > 0 ? `{ ${parts.join(" ")} }` : "{}";
}

function isOptional({ anyOf = [] }: Schema): boolean {
  return anyOf.some((form) => Object.keys(form).length === 0);
}

function okOf(responses: Operation["responses"]): Content | undefined {
  const ok = Object.keys(responses).find((status) => status.startsWith("2"));
  return ok === undefined ? undefined : (responses[ok]?.content ?? {});
}

function camel(tag: string): string {
  return tag.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}

function typesOf(
  groups: ReadonlyMap<string, Described[]>,
  { tags }: ApiDocument,
  writer: TypeWriter,
): string {
  const parts = [...groups].map(([group, operations]) => {
    const tag = tags.find(({ name }) => camel(name) === group);
    const lines = operations.map(({ name, type, doc }) => `${doc}${toKey(name)}: ${type};`);
    return `${comment(tag ?? {})}${group}: {\n${lines.join("\n")}\n};`;
  });
  const text = `export interface Operations {\n${parts.join("\n")}\n}`;
  const calls = [
    "Bytes",
    "Call",
    "JsonOrStreamCall",
    "LinesCall",
    "PagedCall",
    "ServerEvent",
    "StreamCall",
  ];
  const used = calls.filter((call) => new RegExp(`\\b${call}\\b`).test(text));
  return [
    "// Made by `npm run client-types` from the contracts of the services.",
    `import type { ${used.join(", ")} } from "./call-types.ts";`,
    `import type { ${[...writer.used].sort().join(", ")} } from "./schemas.ts";`,
    "",
    text,
  ].join("\n");
}

function tableOf(groups: ReadonlyMap<string, Described[]>): string {
  const entries = [...groups].map(([group, operations]) => [
    group,
    Object.fromEntries(operations.map(({ name, row }) => [name, row])),
  ]);
  return [
    "// Made by `npm run client-types` from the contracts of the services.",
    'import type { Row } from "./call-types.ts";',
    "",
    `export const TABLE: Record<string, Record<string, Row>> = ${JSON.stringify(Object.fromEntries(entries))};`,
  ].join("\n");
}

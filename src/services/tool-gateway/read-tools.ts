import { cutText } from "../../platform/cut-text.ts";
import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { z } from "zod";
import { isDeeper } from "../../platform/json/json-limits.ts";
import type { Logger } from "../../platform/telemetry/log.ts";
import { ToolAnnotations } from "./contract.ts";

const Schema = z.record(z.string(), z.unknown());
/**
 * Looser than the SDK's, which refuses all tools of a server for one. Source: Model Context
 * Protocol, Tool.
 */
const RemoteTool = z.object({
  name: z.string(),
  description: z.string().default(""),
  inputSchema: Schema,
  annotations: ToolAnnotations.optional(),
  title: z.string().optional(),
  outputSchema: Schema.optional(),
});
export type RemoteTool = z.output<typeof RemoteTool>;
const ToolPage = z.object({ tools: z.array(z.unknown()), nextCursor: z.string().optional() });

const PAGE_TIMEOUT_MS = 10_000;
const ALL_TIMEOUT_MS = 30_000;
const MAX_PAGES = 100;
const MAX_TOOLS = 1_000;
const MAX_DESCRIPTION_CHARACTERS = 2_048;
const MAX_SCHEMA_BYTES = 64 * 1024;
/** All schemas of one server together. */
const MAX_LIST_BYTES = 4 * 1024 * 1024;
const MAX_SCHEMA_DEPTH = 64;
/** A name that no table, address or model can hold would take the other servers' tools with it. */
const USABLE_NAME = /^[^\p{C}\s]{1,128}$/u;
/** Control, bidirectional and tag characters hide text from the person who reads it. */
const INVISIBLE =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]|[\ufe00-\ufe0f]|[\u{e0000}-\u{e01ef}]/gu;

/**
 * What a server offers, page by page: at most 1,000 tools, with what they say of themselves made
 * harmless to show. A tool that is not usable is left out and logged; the others stand. Source:
 * security rows 21 and 22.
 */
export async function readTools(
  client: Client,
  server: string,
  log: Logger,
): Promise<RemoteTool[]> {
  if (client.getServerCapabilities()?.tools === undefined) return [];
  const signal = AbortSignal.timeout(ALL_TIMEOUT_MS);
  const tools = new Map<string, RemoteTool>();
  let left = MAX_LIST_BYTES;
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES && tools.size < MAX_TOOLS; page += 1) {
    const request = { method: "tools/list" as const, params: { ...(cursor && { cursor }) } };
    const answer = await client.request(request, ToolPage, { timeout: PAGE_TIMEOUT_MS, signal });
    for (const told of answer.tools) {
      const tool = usable(told);
      if (typeof tool === "string")
        log.warn({ server, tool: nameOf(told), reason: tool }, "a tool is left out");
      else if (
        !tools.has(tool.name) &&
        tools.size < MAX_TOOLS &&
        (left -= JSON.stringify(tool).length) >= 0
      )
        tools.set(tool.name, tool);
    }
    cursor = answer.nextCursor;
    if (!cursor) break;
  }
  return [...tools.values()];
}

/** @returns the tool, made harmless, or why it cannot be used. */
function usable(told: unknown): RemoteTool | string {
  const parsed = RemoteTool.safeParse(told);
  if (!parsed.success)
    return `it is not described as a tool: ${parsed.error.issues[0]?.path.join(".")}`;
  const { name, description, inputSchema, annotations, title, outputSchema } = parsed.data;
  if (!USABLE_NAME.test(name))
    return "its name is empty, too long or holds control characters or spaces";
  if ([inputSchema, annotations, outputSchema].some((schema) => isDeeper(schema, MAX_SCHEMA_DEPTH)))
    return `its schemas are nested more than ${MAX_SCHEMA_DEPTH} deep`;
  if (JSON.stringify([inputSchema, annotations, outputSchema]).length > MAX_SCHEMA_BYTES)
    return `its schemas are larger than ${MAX_SCHEMA_BYTES} bytes`;
  return {
    name,
    description: visible(description),
    inputSchema: visibleWithin(inputSchema),
    ...(annotations && { annotations: visibleWithin(annotations) }),
    ...(title && { title: visible(title) }),
    ...(outputSchema && { outputSchema: visibleWithin(outputSchema) }),
  };
}

function nameOf(told: unknown): string {
  return typeof told === "object" && told !== null && "name" in told
    ? String(told.name).slice(0, 128)
    : "";
}

function visible(text: string): string {
  return cutText(text.replace(INVISIBLE, ""), MAX_DESCRIPTION_CHARACTERS);
}

/**
 * Titles, descriptions and comments at any depth; what a schema compares with (names, enums,
 * patterns) stays as it is.
 */
function visibleWithin<T extends object>(value: T): T;
function visibleWithin(value: unknown): unknown;
function visibleWithin(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(visibleWithin);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      typeof inner === "string" && ["description", "title", "$comment"].includes(key)
        ? visible(inner)
        : visibleWithin(inner),
    ]),
  );
}

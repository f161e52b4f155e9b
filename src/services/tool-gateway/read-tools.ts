import { shortenText } from "../../platform/shorten-text.ts";
import { ErrorCode, McpError } from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";
import { isDeeper } from "../../platform/json/json-limits.ts";
import type { Logger } from "../../platform/telemetry/log.ts";
import { ToolAnnotations } from "./contract.ts";
import { type Cursor, listPages, NextCursor } from "./list-pages.ts";
import { paramHeadersOf } from "./param-headers.ts";
import type { Remote } from "./remote.ts";

const NO_ARGUMENTS: Record<string, unknown> = { type: "object", properties: {} };
const Schema = z.record(z.string(), z.unknown());
const Icon = z.object({
  src: z.string(),
  mimeType: z.string().optional(),
  sizes: z.array(z.string()).optional(),
  theme: z.enum(["dark", "light"]).optional(),
});
const Execution = z.object({
  taskSupport: z.enum(["required", "optional", "forbidden"]).optional(),
});
/**
 * Looser than the SDK's schema, which refuses all tools of a server because of one. Source: Model
 * Context Protocol, Tool.
 */
const RemoteTool = z.object({
  name: z.string(),
  // one wrong field costs that field; a tool whose annotations are wrong counts as destructive
  description: z.string().catch(""),
  inputSchema: Schema.nullish().transform((schema) => schema ?? NO_ARGUMENTS),
  annotations: ToolAnnotations.optional().catch(undefined),
  title: z.string().optional().catch(undefined),
  outputSchema: Schema.optional().catch(undefined),
  icons: z.array(Icon).max(20).optional().catch(undefined),
  execution: Execution.optional().catch(undefined),
  _meta: Schema.optional().catch(undefined),
});
export type RemoteTool = Omit<z.output<typeof RemoteTool>, keyof Extras> & {
  /** What clients of MCP get as it is: neither a model nor an effect depends on it. */
  extras?: Extras;
};

interface Extras {
  icons?: z.output<typeof Icon>[] | undefined;
  execution?: z.output<typeof Execution> | undefined;
  _meta?: Record<string, unknown> | undefined;
}
const ToolPage = z.object({
  tools: z.array(z.unknown()).nullish(),
  nextCursor: NextCursor,
});

const PAGE_TIMEOUT_MS = 10_000;
const LIST_TIMEOUT_MS = 30_000;
const MAX_PAGES = 100;
const MAX_TOOLS = 1_000;
const MAX_DESCRIPTION_CHARACTERS = 2_048;
const MAX_SCHEMA_BYTES = 64 * 1024;
/** All schemas of one server together. */
const MAX_LIST_BYTES = 4 * 1024 * 1024;
const MAX_SCHEMA_DEPTH = 64;
const MAX_EXTRAS_BYTES = 64 * 1024;
const MAX_NAME_CHARACTERS = 128;
const TEXT_FIELDS = ["description", "title", "$comment"];
/** Other names do not fit into tables, addresses or models, and would break the whole list. */
const USABLE_NAME = /^[^\p{C}\s]{1,128}$/u;
/** Control, direction and tag characters hide text from users who read it. */
const INVISIBLE =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]|[\ufe00-\ufe0f]|[\u{e0000}-\u{e01ef}]/gu;

/**
 * Reads the list of tools of a server, page by page and at most 1,000 tools. Invisible characters
 * are removed from descriptions. A tool that is not usable is left out and logged.
 */
export async function readTools(
  remote: Remote,
  server: string,
  log: Logger,
): Promise<RemoteTool[]> {
  if (remote.capabilities?.tools === undefined) return [];
  const signal = AbortSignal.timeout(LIST_TIMEOUT_MS);
  const tools = new Map<string, RemoteTool>();
  let bytesLeft = MAX_LIST_BYTES;
  const read = (params: { cursor?: Cursor }) =>
    remote
      .request({ method: "tools/list", params }, { timeoutMs: PAGE_TIMEOUT_MS, signal })
      .then((page) => ToolPage.parse(page))
      .catch((error: unknown) => {
        // a cursor that the server does not know costs the pages after it
        if (params.cursor === undefined || !isRefusal(error)) throw error;
        log.warn({ err: error, server }, "cannot read all pages of tools");
        return { tools: [], nextCursor: undefined };
      });
  for await (const page of listPages(read, { maxPages: MAX_PAGES, server, log })) {
    for (const entry of page.tools ?? []) {
      const tool = parseTool(entry, remote);
      if (typeof tool === "string") {
        log.warn({ server, tool: nameOf(entry), reason: tool }, "leaving out a tool");
        continue;
      }
      if (tools.has(tool.name) || tools.size >= MAX_TOOLS) continue;
      bytesLeft -= JSON.stringify(tool).length;
      if (bytesLeft >= 0) tools.set(tool.name, tool);
    }
    if (tools.size >= MAX_TOOLS) break;
  }
  return [...tools.values()];
}

function isRefusal(error: unknown): boolean {
  const lost: number[] = [ErrorCode.RequestTimeout, ErrorCode.ConnectionClosed];
  return error instanceof McpError && !lost.includes(error.code);
}

/** @returns the tool with visible texts, or the reason why it cannot be used. */
function parseTool(entry: unknown, { era }: Remote): RemoteTool | string {
  const parsed = RemoteTool.safeParse(entry);
  if (!parsed.success)
    return `it does not have the form of a tool: ${parsed.error.issues[0]?.path.join(".")}`;
  const { name, description, inputSchema, annotations, title, outputSchema } = parsed.data;
  if (!USABLE_NAME.test(name))
    return "its name is empty, too long or holds control characters or spaces";
  if (
    [inputSchema, annotations, outputSchema].some((schema) =>
      isDeeper(schema, MAX_SCHEMA_DEPTH),
    )
  )
    return `its schemas are nested more than ${MAX_SCHEMA_DEPTH} deep`;
  if (JSON.stringify([inputSchema, annotations, outputSchema]).length > MAX_SCHEMA_BYTES)
    return `its schemas are larger than ${MAX_SCHEMA_BYTES} bytes`;
  if (era === "stateless" && !paramHeadersOf(inputSchema))
    return "its schema marks arguments for headers (x-mcp-header) that cannot be sent so";
  return {
    name,
    description: toVisible(description),
    inputSchema: withVisibleTexts(inputSchema),
    ...(annotations && { annotations: withVisibleTexts(annotations) }),
    ...(title && { title: toVisible(title) }),
    ...(outputSchema && { outputSchema: withVisibleTexts(outputSchema) }),
    ...extrasIn(parsed.data),
  };
}

/** Icons, how it runs, and what extensions say of it; nothing where that is too large. */
function extrasIn({ icons, execution, _meta }: Extras): Pick<RemoteTool, "extras"> {
  const given = Object.entries({ icons, execution, _meta });
  const extras = Object.fromEntries(given.filter(([, value]) => value !== undefined));
  if (Object.keys(extras).length === 0 || isDeeper(extras, MAX_SCHEMA_DEPTH)) return {};
  return JSON.stringify(extras).length > MAX_EXTRAS_BYTES ? {} : { extras };
}

function nameOf(entry: unknown): string {
  if (typeof entry !== "object" || entry === null || !("name" in entry)) return "";
  return String(entry.name).slice(0, MAX_NAME_CHARACTERS);
}

function toVisible(text: string): string {
  return shortenText(text.replace(INVISIBLE, ""), MAX_DESCRIPTION_CHARACTERS);
}

/** Changes titles, descriptions and comments at any depth, and nothing that a schema compares. */
function withVisibleTexts<T extends object>(value: T): T;
function withVisibleTexts(value: unknown): unknown;
function withVisibleTexts(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withVisibleTexts);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      const isText = typeof inner === "string" && TEXT_FIELDS.includes(key);
      return [key, isText ? toVisible(inner) : withVisibleTexts(inner)];
    }),
  );
}

import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import type { Tool } from "@modelcontextprotocol/sdk/types.js";
import type { Logger } from "../../platform/telemetry/log.ts";

export type RemoteTool = Pick<Tool, "name" | "annotations" | "title" | "outputSchema"> & {
  description: string;
  inputSchema: Record<string, unknown>;
};

const TIMEOUT_MS = 10_000;
const MOST_PAGES = 100;
const MOST_TOOLS = 1_000;
const LONGEST_DESCRIPTION = 2_048;
const LARGEST_SCHEMA = 64 * 1024;
/** A name that no table, address or model can hold would take the other servers' tools with it. */
const USABLE_NAME = /^[^\p{C}\s]{1,128}$/u;
/** Control, bidirectional and tag characters hide text from the person who reads it. */
const INVISIBLE =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]|[\ufe00-\ufe0f]|[\u{e0000}-\u{e01ef}]/gu;

/** What a server offers, page by page: at most 1,000 tools, with what they say of themselves made harmless to show. Source: security rows 21 and 22. */
export async function readTools(client: Client, server: string, log: Logger): Promise<RemoteTool[]> {
  const tools: RemoteTool[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MOST_PAGES && tools.length < MOST_TOOLS; page += 1) {
    const answer = await client.listTools({ cursor }, { timeout: TIMEOUT_MS });
    for (const tool of answer.tools) {
      const reason = unusable(tool);
      if (reason) log.warn({ server, tool: tool.name.slice(0, 128), reason }, "a tool is left out");
      else tools.push(harmless(tool));
    }
    cursor = answer.nextCursor;
    if (!cursor) break;
  }
  return tools.slice(0, MOST_TOOLS);
}

function unusable({ name, inputSchema, outputSchema }: Tool): string | undefined {
  if (!USABLE_NAME.test(name)) return "its name is empty, too long or holds control characters or spaces";
  if (JSON.stringify([inputSchema, outputSchema]).length > LARGEST_SCHEMA)
    return `its schemas are larger than ${LARGEST_SCHEMA} bytes`;
  return undefined;
}

function harmless({ name, description = "", inputSchema, annotations, title, outputSchema }: Tool): RemoteTool {
  return {
    name,
    description: visible(description),
    inputSchema: visibleWithin(inputSchema) as Record<string, unknown>, // an object stays one
    annotations: visibleWithin(annotations) as Tool["annotations"],
    title: title && visible(title),
    outputSchema: visibleWithin(outputSchema) as Tool["outputSchema"],
  };
}

function visible(text: string): string {
  return text.replace(INVISIBLE, "").slice(0, LONGEST_DESCRIPTION);
}

/** Titles, descriptions and comments at any depth; what a schema compares with (names, enums, patterns) stays as it is. */
function visibleWithin(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(visibleWithin);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      typeof inner === "string" && ["description", "title", "$comment"].includes(key) ? visible(inner) : visibleWithin(inner),
    ]),
  );
}

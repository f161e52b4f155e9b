import { createHash } from "node:crypto";
import type { CompletionEvent, CompletionRequest } from "./contract.ts";
import { mapBatches } from "./map-batches.ts";
import type { ProviderClient } from "./provider-client.ts";
import { toToolSchema } from "./tool-schema.ts";

/** The names of tools that every provider accepts. Another name makes it refuse the request. */
const SAFE_NAME = /^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/;
const MAX_PREFIX_CHARACTERS = 55;
const HASH_CHARACTERS = 8;

/**
 * MCP servers name their tools freely, such as `files.read`. The provider gets a safe name for each
 * such tool, and everybody else the real name.
 */
export function withSafeToolNames(client: ProviderClient): ProviderClient {
  return (call) => {
    const request = withToolSchemas(call.request);
    const unsafe = toolNamesIn(request).filter((name) => !SAFE_NAME.test(name));
    if (unsafe.length === 0) return client({ ...call, request });
    const realNames = new Map(unsafe.map((name) => [toSafeName(name), name]));
    return withRealNames(client({ ...call, request: withSafeNames(request) }), realNames);
  };
}

function withRealNames(
  batches: AsyncIterable<CompletionEvent[]>,
  realNames: ReadonlyMap<string, string>,
): AsyncIterable<CompletionEvent[]> {
  const rename = (event: CompletionEvent) =>
    event.type === "tool_call"
      ? { ...event, name: realNames.get(event.name) ?? event.name }
      : event;
  return mapBatches(batches, (events) => events.map(rename));
}

/** MCP servers write schemas freely, too. */
function withToolSchemas(request: CompletionRequest): CompletionRequest {
  if (!request.tools) return request;
  const tools = request.tools.map((tool) => ({
    ...tool,
    inputSchema: toToolSchema(tool.inputSchema),
  }));
  return { ...request, tools };
}

function toolNamesIn({ tools = [], messages }: CompletionRequest): string[] {
  const calls = messages.flatMap(({ toolCalls = [] }) => toolCalls);
  return [...tools, ...calls].map(({ name }) => name);
}

function withSafeNames(request: CompletionRequest): CompletionRequest {
  const { tools } = request;
  const messages = request.messages.map((message) => {
    const { toolCalls } = message;
    return toolCalls ? { ...message, toolCalls: toolCalls.map(rename) } : message;
  });
  return { ...request, ...(tools && { tools: tools.map(rename) }), messages };
}

function rename<Named extends { name: string }>(named: Named): Named {
  return { ...named, name: toSafeName(named.name) };
}

/** The same for the same name, and different from every other: it ends in a hash of the name. */
function toSafeName(name: string): string {
  if (SAFE_NAME.test(name)) return name;
  const prefix = name
    .replace(/[^a-zA-Z0-9_-]/g, "_")
    .replace(/^(?=[0-9-])/, "_")
    .slice(0, MAX_PREFIX_CHARACTERS);
  const hash = createHash("sha256").update(name).digest("hex").slice(0, HASH_CHARACTERS);
  return `${prefix}_${hash}`;
}

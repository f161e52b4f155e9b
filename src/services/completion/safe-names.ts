import { createHash } from "node:crypto";
import type { CompletionEvent, CompletionRequest } from "./contract.ts";
import type { Provider } from "./provider.ts";

/**
 * What every provider takes as the name of a tool; one name of another form makes them refuse the
 * whole request.
 */
const SAFE = /^[a-zA-Z0-9_-]{1,64}$/;

/**
 * MCP servers name their tools as they like (`files.read`): the provider sees a safe name,
 * everybody else the real one.
 */
export function withSafeNames(provide: Provider): Provider {
  return (ask) => {
    const { request } = ask;
    const real = new Map(
      namesIn(request).flatMap((name) => (SAFE.test(name) ? [] : [[safe(name), name] as const])),
    );
    if (real.size === 0) return provide(ask);
    return renamed(
      provide({
        ...ask,
        request: withNames(request, (name) => (SAFE.test(name) ? name : safe(name))),
      }),
      real,
    );
  };
}

async function* renamed(
  replies: AsyncIterable<CompletionEvent[]>,
  real: ReadonlyMap<string, string>,
): AsyncGenerator<CompletionEvent[]> {
  for await (const events of replies)
    yield events.map((event) =>
      event.type === "tool_call" ? { ...event, name: real.get(event.name) ?? event.name } : event,
    );
}

function namesIn({ tools = [], messages }: CompletionRequest): string[] {
  return [
    ...tools.map(({ name }) => name),
    ...messages.flatMap(({ toolCalls = [] }) => toolCalls.map(({ name }) => name)),
  ];
}

function withNames(
  request: CompletionRequest,
  rename: (name: string) => string,
): CompletionRequest {
  const { tools, messages } = request;
  return {
    ...request,
    ...(tools && { tools: tools.map((tool) => ({ ...tool, name: rename(tool.name) })) }),
    messages: messages.map((message) =>
      message.toolCalls
        ? {
            ...message,
            toolCalls: message.toolCalls.map((call) => ({ ...call, name: rename(call.name) })),
          }
        : message,
    ),
  };
}

/** The same for the same name, and no other tool's: it ends in a hash of the real one. */
function safe(name: string): string {
  return `${name.replace(/[^a-zA-Z0-9_-]/g, "_").slice(0, 55)}_${createHash("sha256").update(name).digest("hex").slice(0, 8)}`;
}

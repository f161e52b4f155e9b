import type { CompletionRequest, Message } from "./contract.ts";
import { textOf } from "./message-text.ts";
import type { ProviderClient } from "./provider-client.ts";

/**
 * For providers that take calls and results in the history only beside tools: where a request
 * offers none, the results are text, so that the model still reads them.
 */
export function withToolsAsText<Config>(
  client: ProviderClient<Config>,
): ProviderClient<Config> {
  return (call) => {
    const { request } = call;
    const offersTools = (request.tools ?? []).length > 0 && request.toolChoice !== "none";
    const messages = offersTools ? request.messages : toText(request.messages);
    return client({ ...call, request: { ...request, messages } });
  };
}

function toText(messages: readonly Message[]): CompletionRequest["messages"] {
  let calls = new Map<string, string>();
  return messages.flatMap((message): Message[] => {
    const { role, toolCalls, toolCallId = "", ...rest } = message;
    if (role === "tool") {
      const called = calls.get(toolCallId) ?? "a tool";
      return [{ role: "user", content: `Result of ${called}:\n${textOf(message)}` }];
    }
    if (!toolCalls || toolCalls.length === 0) return [message];
    calls = new Map(
      toolCalls.map(({ id, name, arguments: values }) => [
        id,
        `the tool ${name}, called with ${JSON.stringify(values)}`,
      ]),
    );
    return textOf(message) === "" ? [] : [{ role, ...rest }];
  });
}

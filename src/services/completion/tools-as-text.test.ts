import { expect, test } from "vitest";
import type { CompletionRequest, Message } from "./contract.ts";
import type { ProviderCall, ProviderClient } from "./provider-client.ts";
import { withToolsAsText } from "./tools-as-text.ts";

const tools = [{ name: "f", description: "", inputSchema: {} }];
const call = (id: string, name: string) => ({
  id,
  type: "tool_call" as const,
  name,
  arguments: { of: name },
});
const messages: Message[] = [
  { role: "user", content: "go" },
  {
    role: "assistant",
    content: "Let me look.",
    toolCalls: [call("1", "f"), call("2", "g")],
  },
  { role: "tool", toolCallId: "1", content: "one" },
  { role: "tool", toolCallId: "2", content: "two" },
  { role: "assistant", content: "", toolCalls: [call("1", "h")] },
  { role: "tool", toolCallId: "1", content: "three" },
  { role: "tool", toolCallId: "lost", content: "four" },
];

async function sent(more: Partial<CompletionRequest>): Promise<Message[]> {
  let seen: Message[] = [];
  const client: ProviderClient = async function* ({ request }) {
    seen = request.messages;
    yield [];
  };
  const request = { request: { messages, ...more } } as unknown as ProviderCall; // all it reads
  for await (const _ of withToolsAsText(client)(request));
  return seen;
}

test("beside tools, calls and results stay what they are", async () => {
  expect(await sent({ tools })).toEqual(messages);
});

test.each([{}, { tools: [] }, { tools, toolChoice: "none" as const }])(
  "with %j the results are text that names their calls, and no call is left",
  async (more) => {
    const seen = await sent(more);
    expect(seen.some(({ role, toolCalls }) => role === "tool" || toolCalls)).toBe(false);
    expect(seen.map(({ content }) => content)).toEqual([
      "go",
      "Let me look.",
      'Result of the tool f, called with {"of":"f"}:\none',
      'Result of the tool g, called with {"of":"g"}:\ntwo',
      'Result of the tool h, called with {"of":"h"}:\nthree',
      "Result of a tool:\nfour",
    ]);
  },
);

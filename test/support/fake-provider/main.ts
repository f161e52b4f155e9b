import { parseArgs } from "node:util";
import type { Step, Wire } from "./script.ts";
import { startFakeProvider } from "./start-fake-provider.ts";

// node test/support/fake-provider/main.ts --port 9999 --wire openai --tokens 200 --delay 0
const { values } = parseArgs({
  options: {
    port: { type: "string", default: "0" },
    wire: { type: "string", default: "openai" },
    tokens: { type: "string", default: "200" },
    delay: { type: "string", default: "0" },
    // called with this tool, it calls the tool first
    tool: { type: "string" },
  },
});

const tokens = Number(values.tokens);
const pauseMs = Number(values.delay);
const steps = Array.from({ length: tokens }).flatMap((_, index): Step[] => [
  { text: ` word${index}` },
  ...(pauseMs > 0 ? [{ pauseMs }] : []),
]);
const usage = { inputTokens: 10, outputTokens: tokens };
const provider = await startFakeProvider({
  wire: values.wire as Wire, // an unknown one fails at the first request
  port: Number(values.port),
  replies({ body }) {
    const { tools, messages = [] } = (body ?? {}) as {
      tools?: unknown[];
      messages?: { role: string }[];
    }; // what a provider is sent
    // a task of the platform, such as a title
    if (messages[0]?.role === "system") return { steps: [{ text: "A title" }], usage };
    const calls =
      values.tool !== undefined && tools !== undefined && messages.at(-1)?.role === "user";
    return calls
      ? {
          steps: [{ calls: [{ id: "call_1", name: values.tool ?? "", arguments: {} }] }],
          finish: "tool_calls",
          usage,
        }
      : { steps, usage };
  },
});
process.stdout.write(`${provider.url}\n`);

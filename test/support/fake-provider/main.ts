import { readArguments } from "../../../scripts/read-arguments.ts";
import type { Step, Wire } from "./script.ts";
import { startFakeProvider } from "./start-fake-provider.ts";

const USAGE = `Usage: node test/support/fake-provider/main.ts [options]

Starts a model provider that answers with made-up words, and prints its address.

  --port <number>    a free one by default
  --wire <kind>      the API that it offers; openai by default
  --tokens <number>  of each answer; 200 by default
  --delay <ms>       between two tokens; 0 by default
  --tool <name>      call this tool first, when a request offers tools
  --help             print this`;

const { values } = readArguments(USAGE, {
  options: {
    port: { type: "string", default: "0" },
    wire: { type: "string", default: "openai" },
    tokens: { type: "string", default: "200" },
    delay: { type: "string", default: "0" },
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
    const {
      tools,
      messages = [],
      response_format: format,
    } = (body ?? {}) as {
      tools?: unknown[];
      response_format?: { type?: string };
      messages?: { role: string }[];
    }; // what a provider is sent
    // a task of the platform, such as a title
    if (messages[0]?.role === "system") return { steps: [{ text: "A title" }], usage };
    // words would be refused where JSON was asked for
    if (format?.type?.startsWith("json")) return { steps: [{ text: "{}" }], usage };
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

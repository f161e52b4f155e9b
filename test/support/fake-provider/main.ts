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
  },
});

const tokens = Number(values.tokens);
const pauseMs = Number(values.delay);
const steps = Array.from({ length: tokens }).flatMap((_, index): Step[] => [
  { text: ` word${index}` },
  ...(pauseMs > 0 ? [{ pauseMs }] : []),
]);
const provider = await startFakeProvider({
  wire: values.wire as Wire, // an unknown one fails at the first request
  port: Number(values.port),
  replies: [{ steps, usage: { inputTokens: 10, outputTokens: tokens } }],
});
process.stdout.write(`${provider.url}\n`);

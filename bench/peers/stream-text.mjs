import { createServer } from "node:http";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { streamText } from "ai";

// the AI SDK's streamText as a server: node bench/peers/stream-text.mjs <base URL of the provider>
const provider = createOpenAICompatible({
  name: "fake",
  baseURL: process.argv[2] ?? "",
  apiKey: "k",
});
const server = createServer(async (incoming, outgoing) => {
  let body = "";
  for await (const chunk of incoming) body += chunk;
  const result = streamText({
    model: provider("gpt-test"),
    messages: JSON.parse(body).messages,
  });
  void result.pipeUIMessageStreamToResponse(outgoing);
});
server.listen(0, "127.0.0.1", () =>
  process.stdout.write(`http://127.0.0.1:${server.address().port}\n`),
);

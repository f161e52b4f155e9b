import { createServer } from "node:http";
import { tool } from "@langchain/core/tools";
import { createReactAgent } from "@langchain/langgraph/prebuilt";
import { ChatOpenAI } from "@langchain/openai";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { z } from "zod";

// LangGraph's agent with one tool as a server, its tool a function or one of a tool server:
// node bench/peers/lang-graph.mjs <base URL of the provider> [URL of the tool server]
const llm = new ChatOpenAI({
  model: "gpt-test",
  apiKey: "k",
  streaming: true,
  configuration: { baseURL: process.argv[2] },
});
const [toolServer] = process.argv.slice(3);
const client = toolServer && new Client({ name: "bench", version: "1" });
if (client) await client.connect(new StreamableHTTPClientTransport(new URL(toolServer)));
const sayHello = async () =>
  client
    ? (await client.callTool({ name: "echo", arguments: {} })).content[0].text
    : "hello";
const echo = tool(sayHello, {
  name: "echo",
  description: "Says hello",
  schema: z.object({}),
});
const agent = createReactAgent({ llm, tools: [echo] });
const server = createServer(async (incoming, outgoing) => {
  let body = "";
  for await (const chunk of incoming) body += chunk;
  outgoing.writeHead(200, { "content-type": "text/event-stream" });
  for await (const [message] of await agent.stream(
    { messages: JSON.parse(body).messages },
    { streamMode: "messages" },
  ))
    outgoing.write(
      `event: message\ndata: ${JSON.stringify({ content: message.content })}\n\n`,
    );
  outgoing.end();
});
server.listen(0, "127.0.0.1", () =>
  process.stdout.write(`http://127.0.0.1:${server.address().port}\n`),
);

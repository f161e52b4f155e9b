import { createServer } from "node:http";
import { tool } from "@langchain/core/tools";
import { createReactAgent } from "@langchain/langgraph/prebuilt";
import { ChatOpenAI } from "@langchain/openai";
import { z } from "zod";

// LangGraph's agent with one tool as a server: node bench/peers/lang-graph.mjs <base URL of the provider>
const llm = new ChatOpenAI({ model: "gpt-test", apiKey: "k", streaming: true, configuration: { baseURL: process.argv[2] } });
const echo = tool(() => "hello", { name: "echo", description: "Says hello", schema: z.object({}) });
const agent = createReactAgent({ llm, tools: [echo] });
const server = createServer(async (incoming, outgoing) => {
  let body = "";
  for await (const chunk of incoming) body += chunk;
  outgoing.writeHead(200, { "content-type": "text/event-stream" });
  for await (const [message] of await agent.stream({ messages: JSON.parse(body).messages }, { streamMode: "messages" }))
    outgoing.write(`event: message\ndata: ${JSON.stringify({ content: message.content })}\n\n`);
  outgoing.end();
});
server.listen(0, "127.0.0.1", () => process.stdout.write(`http://127.0.0.1:${server.address().port}\n`));

import {
  text,
  type ToolServer,
  startToolServer,
} from "../../../../test/support/tool-server.ts";
import type { App } from "../app.ts";
import type { Asks } from "./asks.ts";
import type { Words } from "./words.ts";

/** Conversations with a tool that has run, and with one that waits for a decision. */
export interface Called {
  calledConversation: string;
  waitingConversation: string;
}

/** A tool server whose tools are described, titled and answer by the words. */
export async function startFilledTools(words: Words): Promise<ToolServer> {
  const names = words.names();
  const describe = (index: number) => ({
    description: words.texts().join("\n"),
    annotations: { title: names[index % names.length] ?? "", readOnlyHint: index > 0 },
    run: () => text(words.texts().join("\n\n")),
  });
  return startToolServer({ alpha: describe(0), beta: describe(1), gamma: describe(2) });
}

export async function fillTools(
  app: App,
  asks: Asks,
  words: Words,
  tools: ToolServer,
): Promise<Called> {
  for (const name of words.names().slice(0, 8))
    await asks.post("/api/v1/search-engines", {
      kind: "kagi",
      name,
      enabled: false,
      config: { apiKey: "key" },
    });
  await asks.post("/api/v1/mcp-servers", { name: "filled", url: tools.url });
  await asks.post("/mcp/v1/refresh");
  const beta = tools.tools["beta"];
  const agent = await asks.post("/api/v1/agent", {
    name: words.name(),
    tools: ["alpha", "gamma"],
  });
  app.provider.answer((_, { messages }) => {
    if (String(messages[0]?.content).startsWith("Write a title"))
      return { text: [words.name()] };
    if (messages.at(-1)?.role === "tool") return { text: words.texts() };
    const asked = String(messages.at(-1)?.content);
    const values = { [words.name(100)]: words.texts().join("\n") };
    return { toolCalls: [{ name: asked, arguments: values }] };
  });
  const ask = (content: string) =>
    asks.post<{ conversationId: string }>("/api/v1/conversation", {
      content,
      agentId: agent.id,
      stream: false,
    });
  const called = await ask("gamma");
  const waiting = await ask("alpha");
  if (beta) beta.description = words.texts().toReversed().join("\n"); // a change that is withheld
  await asks.post("/mcp/v1/refresh");
  return {
    calledConversation: called.conversationId,
    waitingConversation: waiting.conversationId,
  };
}

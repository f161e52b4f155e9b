import { expect, vi } from "vitest";
import { type ScriptedProvider, startScriptedProvider } from "./scripted-provider.ts";
import { type TestServer, startTestServer } from "./server.ts";
import { startToolServer, type ToolServer } from "./tool-server.ts";

/** A server with a scripted model and the tools of one server. Its keys must never be shown. */
export interface Conversations extends AsyncDisposable {
  provider: ScriptedProvider;
  tools: ToolServer;
  parlance: TestServer;
  /** Sends a message. */
  send(body: object, headers?: Record<string, string>): Promise<Response>;
  forgetRequests(): void;
}

export async function startConversations(
  offered: Parameters<typeof startToolServer>[0],
): Promise<Conversations> {
  const provider = await startScriptedProvider();
  const tools = await startToolServer(offered);
  const parlance = await startTestServer({
    OPENAI_API_KEY: "planted-secret-openai-key",
    OPENAI_BASE_URL: provider.url,
    OPENAI_MODELS: "gpt-test",
    MCP_SERVERS: JSON.stringify([
      {
        name: "town",
        url: tools.url,
        headers: { "x-town-key": "planted-secret-town-key" },
      },
    ]),
    MCP_TOOL_TIMEOUT: "2000",
    COMPLETION_PROVIDER_TIMEOUT: "2000",
  });
  await vi.waitFor(async () => {
    const state = (await (await parlance.request("/mcp/v1/servers")).json()) as {
      items: { state: string }[];
    };
    expect(state.items[0]?.state).toBe("ready");
  }, 90_000);
  return {
    provider,
    tools,
    parlance,
    send: (body, headers) =>
      parlance.request("/api/v1/conversation", { body, ...(headers && { headers }) }),
    forgetRequests() {
      provider.requests.length = 0;
      tools.calls.length = 0;
    },
    async [Symbol.asyncDispose]() {
      await parlance[Symbol.asyncDispose]();
      await tools[Symbol.asyncDispose]();
      await provider[Symbol.asyncDispose]();
    },
  };
}

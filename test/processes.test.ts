import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { afterAll, expect, test, vi } from "vitest";
import { testServerUrl } from "../src/platform/testing/database.ts";
import { startScriptedProvider } from "./support/scripted-provider.ts";
import { ADMIN, eventsOf } from "./support/house.ts";
import { startToolServer, text } from "./support/tool-server.ts";

const { AMQP_URL, REDIS_URL, DATABASE_URL } = process.env;
const NAMES = ["users", "completion", "tool-gateway", "agent", "core"] as const;
const children: ChildProcess[] = [];
const closing: (() => PromiseLike<unknown>)[] = [];

afterAll(async () => {
  for (const child of children) child.kill("SIGKILL");
  for (const close of closing) await close();
});

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo; // a TCP server has one
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function serve(name: string, env: Record<string, string | undefined>): Promise<ChildProcess> {
  const child = spawn(process.execPath, ["src/main.ts", "serve", name], { env, stdio: ["ignore", "pipe", "inherit"] });
  children.push(child);
  let out = "";
  child.stdout?.on("data", (chunk: Buffer) => (out += chunk.toString()));
  await vi.waitFor(() => expect(out).toContain("is ready"), 30_000);
  return child;
}

test.runIf(DATABASE_URL && AMQP_URL && REDIS_URL)(
  "each service in its own process, on PostgreSQL, RabbitMQ and Redis, holds the same conversation",
  async () => {
    const provider = await startScriptedProvider((_, body) =>
      body.tools && body.messages.at(-1)?.role === "user"
        ? { toolCalls: [{ name: "weather", arguments: { city: "Bonn" } }] }
        : { text: ["It is ", "sunny."] },
    );
    const tools = await startToolServer({ weather: { run: ({ city }) => text(`Sunny in ${String(city)}`) } });
    const database = await testServerUrl();
    closing.push(
      () => provider[Symbol.asyncDispose](),
      () => tools[Symbol.asyncDispose](),
      async () => database?.drop(),
    );
    const ports = Object.fromEntries(await Promise.all(NAMES.map(async (name) => [name, await freePort()] as const)));
    const at = (name: (typeof NAMES)[number]) => `http://127.0.0.1:${ports[name]}`;
    const secret = () => randomBytes(32).toString("base64");
    const env = {
      PATH: process.env["PATH"],
      LOG_LEVEL: "error",
      INTERNAL_PORT: "0",
      PUBLIC_URL: at("core"),
      DATABASE_URL: database?.url,
      AMQP_URL,
      REDIS_URL,
      NAMESPACE: `apart-${process.pid}`,
      PARLANCE_ADMIN_EMAIL: ADMIN.email,
      PARLANCE_ADMIN_PASSWORD: ADMIN.password,
      ...Object.fromEntries(
        ["MCP_SERVICE_SECRET", "COMPLETION_SERVICE_SECRET", "USER_SERVICE_SECRET", "SERVICE_SECRET", "ENCRYPTION_KEY"].map(
          (name) => [name, secret()],
        ),
      ),
      COMPLETION_SERVICE_URL: at("completion"),
      MCP_SERVICE_URL: at("tool-gateway"),
      LLM_CORE_URL: at("core"),
      AGENT_SERVICE_URL: at("agent"),
      USER_SERVICE_URL: at("users"),
      OPENAI_API_KEY: "k",
      OPENAI_BASE_URL: provider.url,
      OPENAI_MODELS: "gpt-test",
      OUTGOING_ALLOW: "127.0.0.0/8",
      MCP_SERVERS: JSON.stringify([{ name: "town", url: tools.url }]),
      MCP_SERVERS_POLL: "500",
    };
    await Promise.all(NAMES.map((name) => serve(name, { ...env, PORT: String(ports[name]) })));

    const login = await fetch(`${at("users")}/api/v1/auth/login`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(ADMIN),
    });
    const { accessToken } = (await login.json()) as { accessToken: string };
    const headers = { authorization: `Bearer ${accessToken}`, "content-type": "application/json" };
    await vi.waitFor(async () => {
      const { items } = (await (await fetch(`${at("tool-gateway")}/mcp/v1/servers`, { headers })).json()) as {
        items: { state: string }[];
      };
      expect(items[0]?.state).toBe("ready");
    }, 20_000);

    const response = await fetch(`${at("core")}/api/v1/conversation`, {
      method: "POST",
      headers,
      body: JSON.stringify({ content: "Weather?", tools: ["weather"] }),
    });
    const events = await eventsOf(response);
    expect(events.map(({ event }) => event)).toEqual(
      expect.arrayContaining(["conversation", "tool_call", "tool_result", "text_delta", "title", "done"]),
    );
    expect(events.find(({ event }) => event === "tool_result")?.data["content"]).toBe("Sunny in Bonn");
    expect(events.at(-1)?.data["content"]).toBe("It is sunny.");
    await vi.waitFor(async () => {
      const { items } = (await (await fetch(`${at("core")}/api/v1/usage?groupBy=model`, { headers })).json()) as {
        items: { requests: number }[];
      };
      expect(items[0]?.requests).toBe(3);
    }, 20_000);
    // between services, on an edge that others are led to: nothing without a credential
    for (const [name, path] of [
      ["agent", "/api/v1/agent/run"],
      ["completion", "/api/v1/completions"],
      ["core", "/api/v1/services-config/models-providers"],
      ["tool-gateway", "/mcp/v1/tools/list-tools"],
    ] as const) {
      const method = name === "agent" || name === "completion" ? "POST" : "GET";
      expect([name, (await fetch(at(name) + path, { method })).status]).toEqual([name, 401]);
    }
  },
  120_000,
);

import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { silentLog } from "../src/platform/telemetry/log.ts";
import { startServer, type RunningServer } from "../src/server/compose.ts";
import {
  type FakeLangflow,
  LANGFLOW_ADMIN_KEY,
  startFakeLangflow,
} from "./support/fake-langflow/start-fake-langflow.ts";
import {
  type ScriptedProvider,
  startScriptedProvider,
} from "./support/scripted-provider.ts";
import { type TestServer, startTestServer } from "./support/server.ts";
import { startToolServer, text } from "./support/tool-server.ts";
import { settingsOf } from "./support/scripted-server.ts";

const SECRET = "a-secret-between-services";

interface Health {
  status: string;
  checks: Record<string, { status: string; detail?: string }>;
  jobs: { service: string }[];
  unreachable: string[];
}

describe("a failed call changes the health at once", () => {
  let parlance: TestServer;
  let langflow: FakeLangflow;
  let provider: ScriptedProvider;
  beforeAll(async () => {
    langflow = await startFakeLangflow();
    provider = await startScriptedProvider();
    parlance = await startTestServer({
      FLOWENGINE_BASE_URL: langflow.url,
      FLOWENGINE_ADMIN_API_KEY: LANGFLOW_ADMIN_KEY,
      ...settingsOf(provider),
      MCP_TOOL_TIMEOUT: "500",
      MCP_SERVERS_POLL: "200",
      MCP_SERVICE_SECRET: SECRET,
    });
  }, 60_000);
  afterAll(async () => {
    await parlance[Symbol.asyncDispose]();
    await provider[Symbol.asyncDispose]();
    await langflow[Symbol.asyncDispose]();
  });

  const health = async () =>
    (await (await parlance.request("/api/v1/health")).json()) as Health;
  const ask = async () =>
    (
      await parlance.request("/api/v1/conversation", {
        body: { content: "hello", model: "openai/gpt-test", stream: false },
      })
    ).status;

  test("a model provider whose last call failed degrades the health until a call succeeds", async () => {
    expect((await health()).checks["model providers"]).toMatchObject({ status: "ok" });
    provider.answer(() => ({ status: 401 }));
    expect(await ask()).toBe(502);
    expect(await health()).toMatchObject({
      status: "degraded",
      checks: {
        "model providers": {
          status: "degraded",
          detail: expect.stringContaining("openai (provider_refused_key)"),
        },
      },
    });
    expect((await parlance.request("/readyz")).status).toBe(200);
    provider.answer(() => ({ text: ["again"] }));
    expect(await ask()).toBe(200);
    expect((await health()).checks["model providers"]).toMatchObject({ status: "ok" });
  });

  test("health lists the background jobs with their last run", async () => {
    const { jobs } = await health();
    const lastRun = expect.stringMatching(/^\d{4}-/);
    const statistics = { service: "core", name: "update-statistics", replicas: "one" };
    expect(jobs).toContainEqual(
      expect.objectContaining({
        ...statistics,
        status: "ok",
        failures: 0,
        lastRunAt: lastRun,
      }),
    );
    const metrics = await (await parlance.request("/metrics")).text();
    expect(metrics).toContain(
      'job_duration_seconds_count{service="core",job="update-statistics"}',
    );
  });

  test("a request that a provider refuses as invalid does not change its health", async () => {
    provider.answer(() => ({ status: 400 }));
    expect(await ask()).toBe(502);
    expect((await health()).checks["model providers"]).toMatchObject({ status: "ok" });
  });

  test("a stopped flow provider is reported in the next answer", async () => {
    const ofFlows = async () => {
      const answer = await parlance.request("/api/v1/flowengine/health");
      return (await answer.json()) as { status: string };
    };
    expect(await ofFlows()).toMatchObject({ status: "up" });
    await langflow.stop();
    expect(await ofFlows()).toMatchObject({ status: "down" });
    expect((await health()).checks["provider flowengine"]).toMatchObject({
      status: "degraded",
    });
    await langflow.start();
    expect(await ofFlows()).toMatchObject({ status: "up" });
  });

  test("a flow provider that accepts connections and never answers leaves the rest ready", async () => {
    langflow.settings.delayMs = 30_000;
    expect((await health()).checks["provider flowengine"]).toMatchObject({
      status: "degraded",
    });
    expect((await parlance.request("/readyz")).status).toBe(200);
    langflow.settings.delayMs = 0;
  });

  test("a call that times out reports its tool server as down", async () => {
    let stuck = false;
    const never = new Promise<never>(() => {});
    await using tools = await startToolServer({
      weather: { run: () => (stuck ? never : text("sunny")) },
    });
    await parlance.request("/api/v1/mcp-servers", {
      body: { name: "town", url: tools.url },
    });
    const call = () =>
      parlance.request("/mcp/v1/tools/call-tool", {
        body: { name: "weather", arguments: {} },
        headers: { "x-platform-mcp-service-secret": SECRET },
      });
    await vi.waitFor(async () => expect((await call()).status).toBe(200), 90_000);
    const lists = tools.lists();
    stuck = true;
    expect((await call()).status).toBe(504);
    await vi.waitFor(() => expect(tools.lists()).toBeGreaterThan(lists), 90_000);
  });
});

describe("readiness of a service alone", () => {
  let dataDir: string;
  let peerServers: Server[];
  let addresses: string[];
  let agent: RunningServer;
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), "parlance-health-"));
    peerServers = [startPeer(), startPeer(), startPeer()];
    addresses = await Promise.all(peerServers.map(listening));
    const [completion = "", tools = "", core = ""] = addresses;
    agent = await startServer({
      services: ["agent"],
      log: silentLog(),
      env: {
        PORT: "0",
        DATA_DIR: dataDir,
        SERVICE_SECRET: SECRET,
        COMPLETION_SERVICE_URL: completion,
        COMPLETION_SERVICE_SECRET: SECRET,
        MCP_SERVICE_URL: tools,
        MCP_SERVICE_SECRET: SECRET,
        LLM_CORE_URL: core,
      },
    });
  });
  afterAll(async () => {
    await agent[Symbol.asyncDispose]();
    for (const one of peerServers) one.close();
    await rm(dataDir, { recursive: true, force: true });
  });

  const readiness = async () => {
    const answer = await fetch(`${agent.url}/readyz`);
    return [answer.status, (await answer.json()) as Health] as const;
  };
  const stop = (at: number) => {
    peerServers[at]?.closeAllConnections();
    return new Promise((resolve) => peerServers[at]?.close(resolve));
  };

  test("it is ready while its peers are alive", async () => {
    const [status, { checks }] = await readiness();
    expect(status).toBe(200);
    expect(Object.keys(checks)).toEqual(
      expect.arrayContaining([
        "service completion",
        "service tool-gateway",
        "service core",
      ]),
    );
  });

  test("without an optional peer it is degraded but ready", async () => {
    await stop(2);
    const [status, { checks }] = await readiness();
    expect([status, checks["service core"]?.status]).toEqual([200, "degraded"]);
  });

  test("without a required peer it is not ready, and names the peer without its address", async () => {
    await stop(0);
    const [status, { checks }] = await readiness();
    expect([status, checks["service completion"]]).toMatchObject([
      503,
      {
        status: "down",
        detail: expect.stringMatching(/^The completion service .*cannot be reached/),
      },
    ]);
    expect(JSON.stringify(checks)).not.toContain(new URL(addresses[0] ?? "").port);
  });
});

test("a service whose users service is gone is not ready, and health names what does not answer", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "parlance-health-"));
  const secrets = {
    SERVICE_SECRET: SECRET,
    USER_SERVICE_SECRET: SECRET,
    ENCRYPTION_KEY: Buffer.alloc(32, 7).toString("base64"),
  };
  type Name = "users" | "documents" | "parser";
  const start = async (service: Name, more: Record<string, string>) => {
    const env = { PORT: "0", DATA_DIR: join(dataDir, service), SHUTDOWN_TIMEOUT: "500" };
    await mkdir(env.DATA_DIR);
    return startServer({
      services: [service],
      log: silentLog(),
      env: { ...env, ...secrets, ...more },
    });
  };
  const users = await start("users", {});
  const parser = await start("parser", { USER_SERVICE_URL: users.url });
  await using documents = await start("documents", {
    USER_SERVICE_URL: users.url,
    PARSER_SERVICE_URL: parser.url,
  });
  const answer = async (path: string) => {
    const response = await fetch(documents.url + path);
    return { code: response.status, body: (await response.json()) as Health };
  };
  await vi.waitFor(async () => expect((await answer("/readyz")).code).toBe(200), 90_000);
  const servicesOf = ({ jobs }: Health) => new Set(jobs.map(({ service }) => service));
  const { body: before } = await answer("/health");
  expect(before.unreachable).toEqual([]);
  expect(servicesOf(before)).toEqual(new Set(["parser", "documents"]));
  await Promise.all([users, parser].map((one) => one[Symbol.asyncDispose]()));
  const checks = { "service users": { status: "down" } };
  expect(await answer("/readyz")).toMatchObject({ code: 503, body: { checks } });
  const { body: after } = await answer("/health");
  expect(after).toMatchObject({ status: "down", checks });
  expect(after.unreachable.toSorted()).toEqual(["parser", "users"]);
  expect(servicesOf(after)).toEqual(new Set(["documents"]));
  await rm(dataDir, { recursive: true, force: true });
});

/** Alive according to /healthz. */
function startPeer(): Server {
  return createServer((request, response) => {
    const alive = request.url === "/healthz";
    response.writeHead(alive ? 200 : 404, { "content-type": "application/json" });
    response.end(JSON.stringify({ status: "ok" }));
  });
}

async function listening(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // a TCP server has one
}

import { afterEach } from "vitest";
import { createApp } from "../../src/platform/http/app.ts";
import { Unauthorized } from "../../src/platform/http/errors.ts";
import { listen } from "../../src/platform/http/server.ts";
import { openOutgoing } from "../../src/platform/outgoing/open-outgoing.ts";
import { createWorkers } from "../../src/platform/workers/workers.ts";
import { silentLog } from "../../src/platform/telemetry/log.ts";
import { createRecentFailures } from "../../src/platform/telemetry/health.ts";
import { createMetrics, httpMetrics } from "../../src/platform/telemetry/metrics.ts";
import { createCatalogue } from "../../src/services/completion/catalogue.ts";
import type { ModelsProviders } from "../../src/services/completion/contract-catalogue.ts";
import type { ProviderKind } from "../../src/services/completion/contract-provider-kinds.ts";
import {
  completionContract,
  type Transaction,
} from "../../src/services/completion/contract.ts";
import { createClientLoader } from "../../src/services/completion/load-client.ts";
import { completionRoutes } from "../../src/services/completion/routes.ts";
import { taskRoutes } from "../../src/services/completion/tasks/routes.ts";
import { UsageMeter } from "../../src/services/completion/usage-meter.ts";
import type { Reply, Wire } from "./fake-provider/script.ts";
import {
  type FakeProvider,
  startFakeProvider,
} from "./fake-provider/start-fake-provider.ts";

const SECRET = "a-secret-between-services";
/** The provider's URL. */
export const KEY = "sk-the-provider-key";
const cleanUps: AsyncDisposable[] = [];
afterEach(async () => {
  for (const part of cleanUps.splice(0).reverse()) await part[Symbol.asyncDispose]();
});

/** The service on a real socket, with one fake provider. */
export async function completionServer({
  wire = "openai",
  kind = "openai",
  timeoutMs = 5_000,
  replyTimeoutMs = 60_000,
  model = "m1",
  maxOutputTokens,
  replies,
}: {
  wire?: Wire;
  kind?: ProviderKind;
  timeoutMs?: number;
  replyTimeoutMs?: number;
  /** The model's name at the provider. */
  model?: string;
  maxOutputTokens?: number;
  replies: Reply[];
}) {
  const provider = await startFakeProvider({ wire, replies });
  const outgoing = openOutgoing({ allow: ["127.0.0.1"], own: () => [] });
  const transactions: Transaction[] = [];
  const publish = async (transaction: Transaction) => void transactions.push(transaction);
  const log = silentLog();
  const workers = createWorkers({ size: 1 });
  const shared = {
    // an unreachable core, so the environment's catalogue applies
    catalogue: createCatalogue({
      core: async () => Response.error(),
      fallback: catalogueOf(kind, provider, model, maxOutputTokens),
      log,
    }),
    endpoints: outgoing,
    replyTimeoutMs,
    failures: createRecentFailures(),
    log,
  };
  const completion = completionRoutes({
    ...shared,
    loadClient: createClientLoader(),
    outgoing,
    timeoutMs,
    workers,
    startMeter: (target, request) => new UsageMeter(publish, target, request),
  });
  const routes = taskRoutes(completion, { ...shared, publish });
  const refuse = async () => {
    throw new Unauthorized("credentials_required", "No.");
  };
  const app = createApp({
    services: [{ name: "completion", contract: completionContract, routes }],
    auth: {
      accessToken: refuse,
      session: refuse,
      apiKey: refuse,
      flowKey: refuse,
      scimToken: refuse,
      mcpToken: refuse,
      agentToken: async () => undefined,
      secretMatches: (_, given) => given === SECRET,
    },
    metrics: httpMetrics(createMetrics()),
    log,
  });
  const listener = await listen(app, { port: 0, host: "127.0.0.1", listener: "public" });
  cleanUps.push(provider, outgoing, listener, workers);
  const ask = (
    body: object = {},
    { signal, secret = SECRET }: { signal?: AbortSignal; secret?: string } = {},
  ) =>
    fetch(`http://127.0.0.1:${listener.port}/api/v1/completions`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${secret}` },
      body: JSON.stringify({
        model: `fake/${model}`,
        messages: [{ role: "user", content: "hello" }],
        ...body,
      }),
      ...(signal && { signal }),
    });
  return { ask, provider, transactions };
}

function catalogueOf(
  kind: ProviderKind,
  { url }: FakeProvider,
  model: string,
  maxOutputTokens: number | undefined,
): ModelsProviders {
  return {
    providers: [
      {
        name: "fake",
        displayName: "Fake",
        kind,
        enabled: true,
        config: configOf(kind, url),
      },
    ],
    models: [
      {
        id: "1",
        name: model,
        kind: "completion",
        maxOutputTokens,
        capabilities: { tools: true, vision: true, reasoning: true },
        enabled: true,
      },
    ],
    availableModels: [
      {
        id: "a1",
        modelId: "1",
        providerName: "fake",
        providerModelId: model,
        displayName: model,
        enabled: true,
      },
    ],
  };
}

function configOf(kind: ProviderKind, url: string): Record<string, string> {
  if (kind === "azure") return { apiKey: KEY, endpoint: url, apiVersion: "2024-10-21" };
  if (kind === "bedrock")
    return {
      region: "eu-central-1",
      accessKeyId: KEY,
      secretAccessKey: "secret",
      baseUrl: url,
    };
  return { apiKey: KEY, baseUrl: url };
}

/** Returns the events of an answer. */
export async function lines(response: Response): Promise<Record<string, unknown>[]> {
  const text = await response.text();
  return text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>); // the tests look at the fields
}

export const textOf = (events: Record<string, unknown>[]) =>
  events.map(({ type, delta }) => (type === "text_delta" ? delta : "")).join("");

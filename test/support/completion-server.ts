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
import type {
  LoadSharing,
  ModelsProviders,
} from "../../src/services/completion/contract-catalogue.ts";
import type { DefaultParameters } from "../../src/services/completion/contract-model-parameters.ts";
import type { CallFailure } from "../../src/services/completion/contract-provider-calls.ts";
import { createLoadSharing } from "../../src/platform/in-turn/load-sharing.ts";
import { createRests } from "../../src/services/completion/rests.ts";
import type { ProviderKind } from "../../src/services/completion/contract-provider-kinds.ts";
import {
  completionContract,
  type AnsweredBy,
  type Transaction,
  type UsageContext,
} from "../../src/services/completion/contract.ts";
import { createClientLoader } from "../../src/services/completion/load-client.ts";
import { completionRoutes } from "../../src/services/completion/routes.ts";
import { mediaRoutes } from "../../src/services/completion/media/routes.ts";
import { UsageMeter } from "../../src/services/completion/usage-meter.ts";
import type { Wire } from "./fake-provider/script.ts";
import { startFakeProvider } from "./fake-provider/start-fake-provider.ts";

const SECRET = "a-secret-between-services";
/** The provider's URL. */
export const KEY = "sk-the-provider-key";
const cleanUps: AsyncDisposable[] = [];
afterEach(async () => {
  for (const part of cleanUps.splice(0).reverse()) await part[Symbol.asyncDispose]();
});

type Replies = Parameters<typeof startFakeProvider>[0]["replies"];

/** A model in whose place others answer, or one of these. */
export interface ScriptedModel {
  wire?: Wire;
  kind?: ProviderKind;
  replies: Replies;
  callsTools?: boolean;
  sees?: boolean;
  contextWindow?: number;
  parameters?: DefaultParameters;
  /** The address in the place of the fake provider's. */
  url?: string;
}

/**
 * The service on a real socket, with one fake provider, and one for each fallback: `fake-2` with
 * the model `m2`, whose id is `a2`, and so on.
 */
export async function completionServer({
  wire = "openai",
  kind = "openai",
  timeoutMs = 5_000,
  replyTimeoutMs = 60_000,
  model = "m1",
  maxOutputTokens,
  replies,
  url,
  keys = KEY,
  fallbacks = [],
  loadSharing,
  parameters,
  findFallbacks = async () => fallbacks.map((_, at) => `a${at + 2}`),
  fallbackAfterMs = 1_000,
  chainTimeoutMs = 50_000,
}: {
  wire?: Wire;
  kind?: ProviderKind;
  timeoutMs?: number;
  replyTimeoutMs?: number;
  /** The model's name at the provider. */
  model?: string;
  maxOutputTokens?: number;
  replies: Replies;
  url?: string;
  /** The provider's, separated by commas. */
  keys?: string;
  fallbacks?: ScriptedModel[];
  loadSharing?: LoadSharing;
  parameters?: DefaultParameters | undefined;
  /** Those that the user may use. Default: all. */
  findFallbacks?: (model: string, context: UsageContext) => Promise<string[]>;
  fallbackAfterMs?: number;
  chainTimeoutMs?: number;
}) {
  const provider = await startFakeProvider({ wire, replies });
  const others = await Promise.all(
    fallbacks.map((one) =>
      startFakeProvider({ wire: one.wire ?? "openai", replies: one.replies }),
    ),
  );
  const replaced: AnsweredBy[] = [];
  const outgoing = openOutgoing({ allow: ["127.0.0.1"], own: () => [] });
  const transactions: Transaction[] = [];
  /** How the calls to the provider ended; `begun`: with a first token. */
  const ended: string[] = [];
  const publish = async (transaction: Transaction) => void transactions.push(transaction);
  const log = silentLog();
  const workers = createWorkers({ size: 1 });
  const shared = {
    // an unreachable core, so the environment's catalogue applies
    catalogue: createCatalogue({
      core: async () => Response.error(),
      fallback: catalogueOf(
        [
          { kind, replies, url: url ?? provider.url, ...(parameters && { parameters }) },
          ...fallbacks.map(({ kind: own = "openai", ...one }, at) => ({
            url: others[at]?.url ?? "",
            ...one,
            kind: own,
          })),
        ],
        model,
        maxOutputTokens,
        keys,
        loadSharing,
      ),
      log,
    }),
    rests: createRests(),
    loads: createLoadSharing(),
    keyRests: createRests(),
    findFallbacks,
    onReplaced: (by: AnsweredBy) => void replaced.push(by),
    fallbackAfterMs,
    chainTimeoutMs,
    endpoints: outgoing,
    replyTimeoutMs,
    failures: createRecentFailures(),
    calls: {
      answered: (_: string, firstTokenMs?: number) =>
        void ended.push(firstTokenMs === undefined ? "answered" : "begun"),
      failed: (_: string, how: CallFailure) => void ended.push(how),
    },
    log,
  };
  const completion = completionRoutes({
    ...shared,
    loadClient: createClientLoader(),
    outgoing,
    timeoutMs,
    workers,
    startMeter: (target, request) => new UsageMeter(publish, target, request),
    publish,
  });
  const routes = mediaRoutes(completion, { ...shared, publish });
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
  cleanUps.push(provider, ...others, outgoing, listener, workers);
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
  return { ask, provider, others, transactions, replaced, ended };
}

function catalogueOf(
  scripted: (ScriptedModel & { kind: ProviderKind; url: string })[],
  model: string,
  maxOutputTokens: number | undefined,
  keys: string,
  loadSharing: LoadSharing | undefined,
): ModelsProviders {
  const nameOf = (at: number) => (at === 0 ? model : `m${at + 1}`);
  const providerOf = (at: number) => (at === 0 ? "fake" : `fake-${at + 1}`);
  const ids = scripted.map((_, at) => `a${at + 1}`);
  return {
    providers: scripted.map(({ kind, url }, at) => ({
      name: providerOf(at),
      displayName: "Fake",
      kind,
      enabled: true,
      config: configOf(kind, url, keys),
    })),
    models: scripted.map(({ callsTools = true, sees = true, contextWindow }, at) => ({
      id: String(at + 1),
      name: nameOf(at),
      kind: "completion",
      contextWindow,
      maxOutputTokens,
      capabilities: { tools: callsTools, vision: sees, reasoning: true },
      enabled: true,
    })),
    availableModels: scripted.map(({ parameters }, at) => ({
      id: `a${at + 1}`,
      modelId: String(at + 1),
      providerName: providerOf(at),
      providerModelId: nameOf(at),
      displayName: nameOf(at),
      enabled: true,
      parameters,
      ...(at === 0 && { fallbacks: ids.slice(1), loadSharing }),
    })),
  };
}

function configOf(kind: ProviderKind, url: string, apiKey: string): Record<string, string> {
  if (kind === "azure") return { apiKey, endpoint: url, apiVersion: "2024-10-21" };
  if (kind === "bedrock")
    return {
      region: "eu-central-1",
      accessKeyId: KEY,
      secretAccessKey: "secret",
      baseUrl: url,
    };
  return { apiKey, baseUrl: url };
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

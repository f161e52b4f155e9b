import { ConfigError } from "../platform/config/read-config.ts";
import { call, type Fetch } from "../platform/http/call.ts";
import { ApiError } from "../platform/http/errors.ts";
import { startServer } from "../server/compose.ts";
import { isLoopback } from "../platform/http/client-address.ts";
import type { ServerConfig } from "../server/config.ts";
import { configure } from "../server/configure.ts";
import { opensInternally, type Ports, portsOf } from "../server/listeners.ts";
import { SERVICES, type ServedName } from "../server/services.ts";
import { serverContract } from "../server/contract.ts";
import type { Health } from "../platform/telemetry/health.ts";
import { silentLog } from "../platform/telemetry/log.ts";
import { providersContract } from "../services/core/catalogue/contract.ts";
import { clientTo, signInFrom } from "./client.ts";

const PROVIDER_TIMEOUT_MS = 16_000;
const ALL_SERVICES = Object.keys(SERVICES) as ServedName[];

interface Diagnosis {
  node: string;
  status: Health["status"];
  checks: Health["checks"];
}

/**
 * Checks each part of the server and prints what to do about failures. It reads the health of a
 * running server; without one it starts all services on free ports, checks them, and stops.
 * @param options `json`: prints one object instead, `{node, status, checks}`
 */
export async function doctor(
  { json = false }: { json?: boolean },
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const say = (line: string) => (json ? undefined : console.log(line));
  const end = (found: Pick<Health, "status" | "checks">) => {
    const diagnosis: Diagnosis = { node: process.version, ...found };
    if (json) console.log(JSON.stringify(diagnosis, undefined, 2));
    else printChecks(found.checks);
    return found.status === "down" ? 1 : 0;
  };
  say(`Node ${process.version}`);
  let configuration: Health["checks"];
  try {
    configuration = await checkConfiguration(env);
    if (!json) printChecks(configuration, false);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const check = { status: "down" as const, latencyMs: 0, detail: error.message };
    if (json) return end({ status: "down", checks: { configuration: check } });
    say(`✗ configuration – ${error.message}`);
    return 1;
  }
  const withConfiguration = ({ status, checks }: Pick<Health, "status" | "checks">) =>
    end({ status, checks: json ? { ...configuration, ...checks } : checks });
  const fetch = clientTo({}, env);
  const running = await healthOfServer(fetch, env);
  if (running) {
    say("A server is running. Its health:");
    const providers = await checkProviders(fetch, env);
    return withConfiguration({ ...running, checks: { ...running.checks, ...providers } });
  }
  say("No server is running here. Starting one to check it.");
  await using parlance = await startServer({
    services: ALL_SERVICES,
    env: { ...env, PORT: "0", INTERNAL_PORT: "0" },
    log: silentLog(),
  });
  for (const line of await parlance.startupMessages()) say(`  ${line}`);
  return withConfiguration(await parlance.inspect());
}

/** @throws ConfigError. */
async function checkConfiguration(env: NodeJS.ProcessEnv): Promise<Health["checks"]> {
  const { config, definitions } = await configure(ALL_SERVICES, env);
  const detail = reachOfInternalPort(config, portsOf(config, true, definitions));
  return {
    configuration: { status: "ok", latencyMs: 0 },
    INTERNAL_PORT: { status: "ok", latencyMs: 0, detail },
  };
}

/** Who may read and change what on INTERNAL_PORT. */
function reachOfInternalPort(config: ServerConfig, { internal }: Ports): string {
  if (internal === undefined) return "off: nobody reaches it.";
  const where = `${config.INTERNAL_HOST}:${internal}`;
  if (opensInternally(config))
    return `every program on this machine reaches all data at ${where}, without a credential. Set INTERNAL_PORT=0 if programs of others run here, such as tool servers.`;
  const reached = isLoopback(config.INTERNAL_HOST)
    ? "programs on this machine"
    : "every machine that reaches this address";
  return `${reached} may ask at ${where}, and need the service secret or a user's credential for more than metrics and health.`;
}

/** The health of the running server, with its parts if an administrator's credential is known. */
async function healthOfServer(
  fetch: Fetch,
  env: NodeJS.ProcessEnv,
): Promise<Pick<Health, "status" | "checks"> | undefined> {
  const ask = (headers: Record<string, string>) =>
    call(fetch, serverContract.health, {}, { headers, timeoutMs: 3_000 });
  // whoever asks says that no server answers
  const seen = await ask({}).catch(() => undefined);
  if (seen === undefined || "checks" in seen) return seen;
  const signedIn = await signInFrom({}, env)
    .then((token) => ask({ authorization: `Bearer ${token}` }))
    .catch(() => undefined); // the parts are not shown then, which is said below
  if (signedIn && "checks" in signedIn) return signedIn;
  const detail = "not shown without a credential.";
  return { ...seen, checks: { parts: { status: "degraded", latencyMs: 0, detail } } };
}

/** Lets a running server list the models of each provider, as an administrator. */
async function checkProviders(
  fetch: Fetch,
  env: NodeJS.ProcessEnv,
): Promise<Health["checks"]> {
  try {
    const headers = { authorization: `Bearer ${await signInFrom({}, env)}` };
    const { items } = await call(
      fetch,
      providersContract.listProviders,
      { query: { limit: 100 } },
      { headers },
    );
    const checks = items.map(async ({ name }) => {
      const options = { headers, timeoutMs: PROVIDER_TIMEOUT_MS };
      const { ok, latencyMs, error } = await call(
        fetch,
        providersContract.testProvider,
        { params: { name } },
        options,
      );
      return [
        `model provider ${name}`,
        {
          status: ok ? "ok" : "degraded",
          latencyMs,
          ...(error && { detail: error.error }),
        },
      ] as const;
    });
    return Object.fromEntries(await Promise.all(checks));
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const reason =
      error instanceof ApiError || error.message.startsWith("No credentials")
        ? error.message
        : "the server does not answer";
    return {
      "model providers": {
        status: "degraded",
        latencyMs: 0,
        detail: `not checked: ${reason}`,
      },
    };
  }
}

function printChecks(checks: Health["checks"], hasTimes = true): void {
  for (const [name, { status, latencyMs, detail }] of Object.entries(checks)) {
    const mark = { ok: "✓", degraded: "!", down: "✗" }[status];
    const took = hasTimes ? ` (${latencyMs} ms)` : "";
    const note =
      status === "ok" ? detail : `${detail ?? "does not answer"} ${adviceFor(name)}`;
    console.log(`${mark} ${name}${took}${note ? ` – ${note}` : ""}`);
  }
}

function adviceFor(check: string): string {
  const advice = Object.entries(ADVICE).find(([name]) => check.startsWith(name))?.[1];
  return advice ?? "Read the log of the service.";
}

/** Advice by the beginning of a check's name; longer names come before their own beginnings. */
const ADVICE: Record<string, string> = {
  database:
    "Check DATABASE_URL, or that DATA_DIR is writable and no other process uses it.",
  queue: "Check AMQP_URL and that RabbitMQ runs.",
  cache: "Check REDIS_URL and that Redis runs.",
  "file storage":
    "Check S3_ENDPOINT, S3_BUCKET and its keys, and that the key may list and write.",
  service: "Check that it runs, and its address and secret.",
  "tool servers":
    "Check their addresses; private ones must be allowed, in the administration or in OUTGOING_ALLOW.",
  parts: "Set PARLANCE_ADMIN_PASSWORD or PARLANCE_TOKEN of an administrator.",
  "model providers": "Set PARLANCE_ADMIN_PASSWORD or PARLANCE_TOKEN of an administrator.",
  "model provider":
    "Check its key and address at PATCH /api/v1/model-providers/:name; private ones must be allowed, by POST /api/v1/allowed-addresses or in OUTGOING_ALLOW.",
  "embedding model": "Check EMBEDDING_BASE_URL, its key, and that the server runs.",
  reranker: "Check RERANKER_SERVICE_URL, its key, and that the server runs.",
  parser_disk: "Free space on the disk of the system's temporary folder.",
  provider:
    "Check the flow provider's address, version and keys; a private address must be in OUTGOING_ALLOW.",
};

import { z } from "zod";
import { duration, httpUrl, secret } from "../../../../platform/config/schemas.ts";
import { ApiError, BadGateway } from "../../../../platform/http/errors.ts";
import { logFailedCall } from "../../../../platform/outgoing/log-failed-call.ts";
import {
  CredentialsRefused,
  type ProviderDefinition,
  type AccountRecords,
  ProviderRefused,
} from "../provider.ts";
import { createClient, type AskLangflow } from "./client.ts";
import { flowsOf } from "./flows.ts";
import { runFlow } from "./run-flow.ts";
import { usersOf } from "./users.ts";
import { call, type Fetch } from "../../../../platform/http/call.ts";
import { accountsContract } from "../../../users/contract-flow-accounts.ts";
import { singleFlight } from "../../../../platform/single-flight.ts";

const config = z.object({
  FLOWENGINE_BASE_URL: httpUrl()
    .optional()
    .describe(
      "URL of Langflow, the flow provider; when unset, flows are off. A private address must be in OUTGOING_ALLOW",
    ),
  FLOWENGINE_ADMIN_API_KEY: secret()
    .optional()
    .describe("API key of a Langflow superuser, which creates accounts there"),
  FLOWENGINE_TIMEOUT: duration()
    .default(30_000)
    .describe("Time limit of a request to Langflow, in ms"),
  FLOWENGINE_RUN_TIMEOUT: duration()
    .default(300_000)
    .describe("Time limit of a flow, in ms"),
});

const NAME = "flowengine";
const BASE_URL = "FLOWENGINE_BASE_URL";
const ADMIN_KEY = "FLOWENGINE_ADMIN_API_KEY";

/** A failure of the server, not a sign-in that has expired. */
function isFault(error: unknown): boolean {
  return (
    error instanceof ApiError &&
    error.status >= 500 &&
    !(error instanceof CredentialsRefused)
  );
}

/** Langflow from 1.10.1, after its source at 1.10.1 and a server at 1.13.0. */
export const langflow: ProviderDefinition<typeof config> = {
  config,
  open(settings, { outgoing, log, users }) {
    const { FLOWENGINE_BASE_URL: baseUrl, FLOWENGINE_ADMIN_API_KEY: adminKey } = settings;
    if (baseUrl === undefined || adminKey === undefined) {
      const [set, unset] = baseUrl ? [BASE_URL, ADMIN_KEY] : [ADMIN_KEY, BASE_URL];
      if (baseUrl ?? adminKey)
        log.warn(`${set} is set, but ${unset} is not: flows are off. Set both.`);
      return undefined;
    }
    const open = createClient({
      baseUrl,
      adminKey,
      outgoing,
      timeoutMs: settings.FLOWENGINE_TIMEOUT,
    });
    const gate = createGate(open);
    // no request reaches a server that is not safe to use
    const ask: typeof open = async (request, signal) => {
      await gate.pass(signal);
      try {
        return await open(request, signal);
      } catch (error) {
        if (isFault(error)) {
          gate.forget();
          logFailedCall(log, { provider: NAME, path: request.path }, error);
        }
        throw error;
      }
    };
    return {
      name: NAME,
      check: () => gate.check(),
      users: usersOf(ask),
      records: accountRecords(users),
      flows: {
        operatorKey: adminKey,
        ...flowsOf(ask),
        run: (key, run, signal) =>
          runFlow(
            { ask, log, timeoutMs: settings.FLOWENGINE_RUN_TIMEOUT },
            key,
            run,
            signal,
          ),
      },
    };
  },
};

const TIMEOUT_MS = 5_000;

/** Accounts at Langflow, which the users service stores encrypted. */
function accountRecords(users: Fetch): AccountRecords {
  return {
    async get(userId, signal) {
      try {
        const { username, password, apiKey } = await call(
          users,
          accountsContract.getFlowAccount,
          { query: { userId } },
          { signal, timeoutMs: TIMEOUT_MS },
        );
        return { username, password, apiKey };
      } catch (error) {
        if (error instanceof ApiError && error.status === 404) return undefined;
        throw error;
      }
    },
    async save(userId, record, existing, signal) {
      const options = { signal, timeoutMs: TIMEOUT_MS };
      if (existing)
        await call(
          users,
          accountsContract.changeFlowAccount,
          { params: { userId }, body: record },
          options,
        );
      else
        await call(
          users,
          accountsContract.createFlowAccount,
          { body: { userId, ...record } },
          options,
        );
    },
  };
}

/**
 * Before, and in its pre-releases: strangers or other users run code, read flows or take over
 * accounts. docs/flows.md names the weaknesses with their versions.
 */
const MIN_VERSION: Version = [1, 10, 1];
const CHECK_LIFETIME_MS = 60_000;

/** With -1 as a fourth part for a pre-release, which is older than its release. */
type Version = readonly [number, number, number, number?];
const VersionAnswer = z.object({
  version: z.string().max(100),
  package: z.string().max(100).optional(),
});

/** Checks that a Langflow server is safe: by its version, and that it requires a password. */
interface Gate {
  /**
   * Checks the server now. Concurrent callers share one check.
   * @throws ProviderRefused with the reason; and what `ask` throws.
   */
  check(): Promise<{ version: string }>;
  /** As `check`, but a successful check is valid for a minute. */
  pass(signal?: AbortSignal): Promise<void>;
  /** Called when a call failed: the server may be replaced, so the next call checks again. */
  forget(): void;
}

function createGate(ask: AskLangflow): Gate {
  let checked: { version: string; until: number } | undefined;

  async function inspect(): Promise<{ version: string }> {
    const version = await readVersion(ask);
    await checkServer(ask);
    checked = { version, until: performance.now() + CHECK_LIFETIME_MS };
    return checked;
  }

  const forget = () => void (checked = undefined);
  const check = singleFlight(() =>
    inspect().catch((error: unknown) => {
      forget();
      throw error;
    }),
  );
  return {
    check,
    forget,
    async pass(signal) {
      signal?.throwIfAborted();
      if (!checked || checked.until <= performance.now()) await check();
    },
  };
}

/** @throws ProviderRefused for a version that is not safe. */
async function readVersion(ask: AskLangflow): Promise<string> {
  const answer = await ask({ method: "GET", path: "/api/v1/version", as: "nobody" });
  const parsed = VersionAnswer.safeParse(answer.body);
  if (answer.status !== 200 || !parsed.success)
    throw new BadGateway(
      "provider_invalid",
      "What answers at FLOWENGINE_BASE_URL is not Langflow: it reports no version. The " +
        "operator must correct the address.",
    );
  const versionText = parsed.data.version;
  const version = versionOf(parsed.data);
  if (!version || isOlder(version, MIN_VERSION))
    throw new ProviderRefused(
      "provider_refused",
      `Langflow ${versionText} is refused: versions before ${MIN_VERSION.join(".")}, and its pre-releases, let others run code on it. The operator must install a newer one.`,
      { params: { version: versionText, min: MIN_VERSION.join(".") } },
    );
  return versionText;
}

/** @throws ProviderRefused without a password on the server, BadGateway when it is not well. */
async function checkServer(ask: AskLangflow): Promise<void> {
  const login = await ask({ method: "GET", path: "/api/v1/auto_login", as: "nobody" });
  if (login.status === 200)
    throw new ProviderRefused(
      "provider_refused",
      "Langflow is refused: it signs anybody in as its administrator. The operator must start it with LANGFLOW_AUTO_LOGIN=false.",
    );
  const ready = await ask({ method: "GET", path: "/health_check", as: "nobody" });
  if (ready.status !== 200)
    throw new BadGateway(
      "provider_failed",
      "The flow provider reports that it is unhealthy. The operator must check it.",
    );
}

/** langflow-base counted from 0 while Langflow counted from 1: its 0.10.3 is 1.10.3. */
function versionOf({
  version,
  package: name = "",
}: z.output<typeof VersionAnswer>): Version | undefined {
  const [, major, minor, patch, rest = ""] =
    /^v?(\d{1,4})\.(\d{1,4})\.(\d{1,4})(.*)$/.exec(version.trim()) ?? [];
  if (major === undefined) return undefined;
  const base = /base/i.test(name) && Number(major) === 0 ? 1 : 0;
  const isRelease = /^(?:\.post\d{1,9})?(?:\+.*)?$/.test(rest);
  return [Number(major) + base, Number(minor), Number(patch), isRelease ? 0 : -1];
}

function isOlder(version: Version, than: Version): boolean {
  for (const [index, actual] of version.entries()) {
    const part = than[index] ?? 0;
    if (actual !== part) return (actual ?? 0) < part;
  }
  return false;
}

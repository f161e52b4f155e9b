import { z } from "zod";
import { duration, httpUrl, secret } from "../../../../platform/config/schemas.ts";
import { ApiError } from "../../../../platform/http/errors.ts";
import { logFailedCall } from "../../../../platform/outgoing/log-failed-call.ts";
import {
  CredentialsRefused,
  type ProviderDefinition,
  type AccountRecords,
} from "../provider.ts";
import { createClient } from "./client.ts";
import { flowsOf } from "./flows.ts";
import { createGate } from "./gate.ts";
import { runFlow } from "./run-flow.ts";
import { usersOf } from "./users.ts";
import { call, type Fetch } from "../../../../platform/http/call.ts";
import { accountsContract } from "../../../users/contract-flow-accounts.ts";

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

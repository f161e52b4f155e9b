import { z } from "zod";
import { duration, httpUrl, secret } from "../../../../platform/config/schemas.ts";
import { ApiError } from "../../../../platform/http/errors.ts";
import { logFailedCall } from "../../../../platform/outgoing/log-failed-call.ts";
import { CredentialsRefused, type ProviderDefinition } from "../provider.ts";
import { accountRecords } from "./account-records.ts";
import { createClient } from "./client.ts";
import { flowsOf } from "./flows.ts";
import { createGate } from "./gate.ts";
import { runFlow } from "./run-flow.ts";
import { usersOf } from "./users.ts";

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

/** A failure of the server, not a sign-in that has expired. */
function isFault(error: unknown): boolean {
  return (
    error instanceof ApiError &&
    error.status >= 500 &&
    !(error instanceof CredentialsRefused)
  );
}

/** Langflow from 1.9.1, after its source at 1.10.1 and a server at 1.13.0. */
export const langflow: ProviderDefinition<typeof config> = {
  config,
  open(settings, { outgoing, log, users }) {
    const { FLOWENGINE_BASE_URL: baseUrl, FLOWENGINE_ADMIN_API_KEY: adminKey } = settings;
    if (baseUrl === undefined || adminKey === undefined) return undefined;
    const open = createClient({
      baseUrl,
      adminKey,
      outgoing,
      timeoutMs: settings.FLOWENGINE_TIMEOUT,
    });
    const gate = createGate(open, log);
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

import type { Job } from "../../platform/background/job.ts";
import { defineService } from "../../platform/service.ts";
import { confirmedConsumer } from "../../platform/background/confirmed-consumer.ts";
import { deletionsFor } from "../users/contract-user-deletion.ts";
import { createAccounts } from "./accounts/accounts.ts";
import { accountsContract, integrationsContract } from "./contract.ts";
import { forgetUser } from "./user-deletion.ts";
import { createFileReader } from "./flows/flow-files.ts";
import { flowRoutes } from "./flows/routes.ts";
import { createRunningFlows } from "./flows/running-flows.ts";
import { checkUsable } from "./health.ts";
import type { Provider } from "./providers/provider.ts";
import { createRegistry, openProviders, providersConfig } from "./providers/registry.ts";
import { accountRoutes } from "./routes.ts";

const PROVIDER_CHECK_INTERVAL_MS = 10 * 60_000;
/** Shorter than the timeout of a whole health check, which would report the server as down. */
const HEALTH_TIMEOUT_MS = 1_500;

export default defineService({
  name: "integrations",
  port: 4000,
  contract: integrationsContract,
  config: providersConfig,
  migrations: new URL("./migrations/", import.meta.url),
  queue: true,
  needs: ["users"],
  uses: ["documents"],
  encrypts: true,
  async create({ config, db, leases, cache, log, outgoing, secrets, peer, hasPeer }) {
    const users = peer("users");
    const registry = createRegistry(openProviders(config, { outgoing, log, users }));
    const accounts = createAccounts({ leases, log });
    const running = await createRunningFlows(cache);
    const routes = accountRoutes({ db, users, registry, accounts });
    const provider = registry.all.find(({ name }) => name === "flowengine");
    if (provider) {
      const readFiles = createFileReader(
        hasPeer("documents") ? peer("documents") : undefined,
      );
      const encryptionKey = secrets.ENCRYPTION_KEY;
      flowRoutes(routes, {
        db,
        provider,
        accounts,
        running,
        readFiles,
        users,
        encryptionKey,
        log,
      });
    }
    return {
      routes,
      ...(!provider && { contract: accountsContract }),
      checks: Object.fromEntries(
        registry.all.map((one) => [
          `provider ${one.name}`,
          () => checkUsable(one, HEALTH_TIMEOUT_MS),
        ]),
      ),
      consumers: [
        confirmedConsumer({
          ...deletionsFor("integrations", () => peer("users")),
          handle: (deletion) => forgetUser({ db, registry, accounts }, deletion),
        }),
      ],
      jobs: registry.all.map((one) => checkProvider(one)),
      close: () => running[Symbol.asyncDispose](),
    };
  },
});

/** Logs that a flow provider cannot be used, so that an operator need not wait for a user. */
function checkProvider(provider: Provider): Job {
  return {
    name: `check-${provider.name}`,
    intervalMs: PROVIDER_CHECK_INTERVAL_MS,
    replicas: "each",
    atStart: { waitMs: 0 },
    onFailure: "flows cannot run. Check the provider's address and key.",
    run: () => checkUsable(provider),
  };
}

import { defineService } from "../../platform/service.ts";
import { Degraded } from "../../platform/telemetry/health.ts";
import { userDeletionQueue } from "../users/contract-user-deletion.ts";
import { createAccounts } from "./accounts/accounts.ts";
import { accountsContract, integrationsContract } from "./contract.ts";
import { userDeletions } from "./user-deletion.ts";
import { fileReader } from "./flows/flow-files.ts";
import { flowRoutes } from "./flows/routes.ts";
import { createRunningFlows } from "./flows/running-flows.ts";
import { healthOf } from "./health.ts";
import { createRegistry, openProviders, providersConfig } from "./providers/registry.ts";
import { accountRoutes } from "./routes.ts";

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
  async create({ config, db, cache, queue, log, outgoing, secrets, peer, hasPeer }) {
    const users = peer("users");
    const registry = createRegistry(openProviders(config, { outgoing, log, users }));
    const accounts = createAccounts({ db, log });
    const running = await createRunningFlows(cache);
    const routes = accountRoutes({ db, users, registry, accounts });
    const provider = registry.all.find(({ name }) => name === "flowengine");
    if (provider) {
      const readFiles = fileReader(hasPeer("documents") ? peer("documents") : undefined);
      const encryptionKey = secrets.ENCRYPTION_KEY;
      flowRoutes(routes, { db, provider, accounts, running, readFiles, users, encryptionKey, log });
    }
    let userDeletionConsumer: AsyncDisposable | undefined;
    return {
      routes,
      ...(!provider && { contract: accountsContract }),
      checks: Object.fromEntries(
        registry.all.map((one) => [
          `provider ${one.name}`,
          async () => {
            const { status, reason } = await healthOf(one);
            if (status !== "up") throw new Degraded(reason);
          },
        ]),
      ),
      async start() {
        for (const one of registry.all)
          void healthOf(one).then(({ status, reason }) => {
            if (status !== "up")
              log.warn({ provider: one.name, status }, reason ?? "the provider cannot be used");
          });
        userDeletionConsumer = await queue.consume(
          userDeletionQueue("integrations"),
          userDeletions({ db, registry, accounts }),
        );
      },
      async close() {
        await userDeletionConsumer?.[Symbol.asyncDispose]();
        await running[Symbol.asyncDispose]();
      },
    };
  },
});

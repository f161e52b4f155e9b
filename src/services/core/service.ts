import type { Database } from "../../platform/db/database.ts";
import { defineService } from "../../platform/service.ts";
import { TRANSACTIONS_QUEUE } from "../completion/contract.ts";
import { PROVIDER_CALLS_QUEUE } from "../completion/contract-provider-calls.ts";
import {
  providersFromEnvironment,
  providersToList,
} from "../completion/contract-environment.ts";
import { confirmedConsumer } from "../../platform/background/confirmed-consumer.ts";
import { deletionsFor } from "../users/contract-user-deletion.ts";
import { createDueGuess } from "../../platform/background/due-guess.ts";
import { RECEIVERS_ADDED } from "./a2a/receivers-store.ts";
import { seedSystemAgents } from "./agents/system-agents.ts";
import { inspectProviders } from "./catalogue/inspect-providers.ts";
import { storeProviderCalls } from "./catalogue/provider-health.ts";
import { listSelections, seedCatalogue } from "./catalogue/store.ts";
import { type CoreConfig, coreConfig } from "./config.ts";
import { coreContract } from "./contract.ts";
import { coreJobs } from "./jobs.ts";
import { createDependencies } from "./dependencies.ts";
import { coreRoutes } from "./routes.ts";
import { seedToolServers } from "./tool-servers/store.ts";
import { seedTemplates } from "./templates/built-in.ts";
import { countCosts, transactionStore } from "./usage/transactions.ts";
import { forgetUser } from "./user-deletion.ts";

/** Usage records are frequent, and no request waits for one, so they are stored in groups. */
const USAGE_RECORDS = { prefetch: 500, gatherMs: 50 };

export default defineService({
  name: "core",
  port: 4000,
  contract: coreContract,
  config: coreConfig,
  migrations: new URL("./migrations/", import.meta.url),
  queue: true,
  needs: ["agent", "completion", "users"],
  uses: ["documents", "retrieval", "integrations", "parser", "web", "sandbox", "embedding"],
  encrypts: true,
  async create(context) {
    const { config, db, signal } = context;
    await seed(db, config, context.secrets.ENCRYPTION_KEY);
    const deps = await createDependencies(context);
    const receivers = createDueGuess();
    const handleUsage = transactionStore(db, deps.budgets, countCosts(context.metrics));
    return {
      routes: coreRoutes(deps),
      consumers: [
        {
          queue: TRANSACTIONS_QUEUE,
          foreign: true,
          handle: handleUsage,
          options: USAGE_RECORDS,
        },
        {
          queue: PROVIDER_CALLS_QUEUE,
          handle: (delivery) => storeProviderCalls(db, delivery),
        },
        confirmedConsumer({
          ...deletionsFor("core", () => context.peer("users")),
          handle: (deletion) => forgetUser(db, deletion),
        }),
      ],
      subscriptions: [
        { channel: RECEIVERS_ADDED, onNotification: receivers.wake, onGap: receivers.wake },
      ],
      jobs: coreJobs({ ...deps, receivers }, config),
      inspections: () => inspectProviders(deps, signal),
      startupMessages: async () => [await describeFirstModel(db)],
      async close() {
        await deps.runner[Symbol.asyncDispose]();
        await deps.background[Symbol.asyncDispose]();
        await deps.models[Symbol.asyncDispose]();
        await deps.labels[Symbol.asyncDispose]();
        await deps.budgets[Symbol.asyncDispose]();
      },
    };
  },
});

/** Stores the entries of the environment and the built-in ones. */
async function seed(
  db: Database,
  config: CoreConfig,
  encryptionKey: string,
): Promise<void> {
  const listed = providersToList(config);
  await seedCatalogue(db, providersFromEnvironment(config), encryptionKey, listed);
  await seedToolServers(db, config.MCP_SERVERS, encryptionKey);
  await seedSystemAgents(db);
  await seedTemplates(db);
}

async function describeFirstModel(db: Database): Promise<string> {
  const { items } = await listSelections(db, 1, 0);
  const [first] = items;
  if (!first)
    return "No model is enabled: set a provider's key, such as OPENAI_API_KEY, and restart.";
  if (first.providerName !== "offline") return `Model: ${first.displayName} (${first.id})`;
  return (
    "No language model is connected: answers are quotes from documents. Connect one under " +
    "Administration, Models, or set a provider's key, such as OPENAI_API_KEY."
  );
}

import type { Database } from "../../platform/db/database.ts";
import type { Fetch } from "../../platform/http/call.ts";
import { userOf } from "../../platform/http/caller.ts";
import { Routes } from "../../platform/http/routes.ts";
import type { Accounts } from "./accounts/accounts.ts";
import { accountsContract as contract } from "./contract.ts";
import { personalData } from "./user-deletion.ts";
import { healthFor } from "./health.ts";
import { verifyFlowKey } from "./permissions/flow-keys.ts";
import type { Registry } from "./providers/registry.ts";

interface Deps {
  db: Database;
  users: Fetch;
  registry: Registry;
  accounts: Accounts;
}

/** Routes that are served whether or not a provider is configured. */
export function accountRoutes({ db, users, registry, accounts }: Deps): Routes {
  return new Routes()
    .on(contract.listProviders, () => ({ providers: registry.all.map(({ name }) => name) }))
    .on(contract.ensureTokens, async ({ params, caller, signal }) => {
      const provider = registry.get(params.providerName);
      const { expiresAt } = await accounts.ensureTokens(
        provider,
        userOf(caller).userId,
        signal,
      );
      return {
        provider: provider.name,
        expiresAt: new Date(expiresAt).toISOString(),
        ensured: true as const,
      };
    })
    .on(contract.ensureAccount, async ({ params, caller, signal }) => {
      const provider = registry.get(params.providerName);
      const { account, created } = await accounts.ensureAccount(
        provider,
        userOf(caller).userId,
        signal,
      );
      return { provider: provider.name, username: account.username, created };
    })
    .on(contract.providerHealth, ({ params, caller }) =>
      healthFor(caller, registry.get(params.providerName)),
    )
    .on(contract.allHealth, async ({ caller }) => {
      const providers = await Promise.all(
        registry.all.map((one) => healthFor(caller, one)),
      );
      return {
        status: providers.every(({ status }) => status === "up")
          ? ("ok" as const)
          : ("degraded" as const),
        providers,
      };
    })
    .on(contract.verifyFlowKey, async ({ body }) => ({
      user: await verifyFlowKey({ db, users }, body.key),
    }))
    .on(contract.personalData, ({ params, query }) =>
      personalData(db, params.userId, query.after),
    );
}

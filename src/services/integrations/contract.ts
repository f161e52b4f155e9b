import { z } from "zod";
import { SentenceCode } from "../../platform/http/reported-error.ts";
import { route } from "../../platform/http/route.ts";
import { PERSONAL_DATA } from "../users/contract-user-deletion.ts";
import { flowsContract } from "./contract-flows.ts";
import { permissionsContract } from "./contract-permissions.ts";

/** Providers and the accounts of users there. See docs/flows.md. */

const byProvider = z.object({ providerName: z.string().min(1).max(100) });

export const ProviderHealth = z.object({
  provider: z.string(),
  status: z
    .enum(["up", "down", "refused"])
    .describe("`refused`: it responds, but must not be used because of `reason`"),
  latencyMs: z.number(),
  version: z.string().optional(),
  reason: z.string().optional(),
  ...SentenceCode.shape,
});
export type ProviderHealth = z.output<typeof ProviderHealth>;

/** Strangers do not read its version, nor why it cannot be used. */
const observed = {
  access: ["public", "local", "service-secret", "jwt"],
  permission: "signed-in",
} as const;

export const EnsuredTokens = z.object({
  provider: z.string(),
  expiresAt: z.iso.datetime(),
  ensured: z.literal(true),
});

/** These routes are served whether or not a provider is configured. */
export const accountsContract = {
  listProviders: route({
    method: "get",
    path: "/api/v1/integrations/providers",
    access: "public",
    summary: "List the names of the configured providers",
    ok: z.object({ providers: z.array(z.string()) }),
  }),
  ensureTokens: route({
    method: "post",
    path: "/api/v1/integrations/:providerName/tokens",
    access: "jwt",
    permission: "flow:run",
    changes: "none",
    summary:
      "Ensure that the service holds the caller's tokens at a provider; it never returns them",
    params: byProvider,
    ok: EnsuredTokens,
  }),
  ensureAccount: route({
    method: "post",
    path: "/api/v1/integrations/:providerName/account",
    access: "jwt",
    permission: "flow:run",
    changes: "none",
    summary: "Ensure that the caller has an account at a provider",
    params: byProvider,
    ok: z.object({ provider: z.string(), username: z.string(), created: z.boolean() }),
  }),
  providerHealth: route({
    method: "get",
    path: "/api/v1/integrations/:providerName/health",
    ...observed,
    summary: "Check the health of one provider",
    params: byProvider,
    ok: ProviderHealth,
  }),
  allHealth: route({
    method: "get",
    path: "/api/v1/integrations/health",
    ...observed,
    summary: "Check the health of all providers",
    ok: z.object({
      status: z.enum(["ok", "degraded"]),
      providers: z.array(ProviderHealth),
    }),
  }),
  verifyFlowKey: route({
    method: "post",
    path: "/api/v1/integrations/flow-keys/verify",
    access: "service-secret",
    changes: "none",
    summary: "Read the user of a key for flows; null if it is unknown",
    body: z.object({ key: z.string().min(1).max(200) }),
    ok: z.object({
      user: z
        .object({
          userId: z.string(),
          email: z.string(),
          name: z.string(),
          roles: z.array(z.string()),
          clientId: z.string(),
        })
        .nullable(),
    }),
  }),
  personalData: PERSONAL_DATA.integrations,
};

/** The flow provider's routes are served only if it is configured. */
export const integrationsContract = {
  ...accountsContract,
  ...flowsContract,
  ...permissionsContract,
};

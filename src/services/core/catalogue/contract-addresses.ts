import { z } from "zod";
import { pageOf, pageQuery } from "../../../platform/http/page.ts";
import { route } from "../../../platform/http/route.ts";
import { ProviderKind } from "../../completion/contract-provider-kinds.ts";

/** Private addresses that administrators allow for providers and tool servers. */

/** The channel of the cache on which the core announces changes of the allowed addresses. */
export const ADDRESSES_CHANGED = "allowed-addresses-changed";
/** How many may be allowed. */
export const MAX_ALLOWED = 100;

const addresses = "/api/v1/allowed-addresses";
const Address = z
  .string()
  .trim()
  .toLowerCase()
  .min(3)
  .max(260)
  .describe("`host:port`, an IPv6 address in brackets");
const AllowedAddress = z.object({
  address: z.string(),
  allowedBy: z.string().describe("The id of the administrator"),
  allowedAt: z.iso.datetime(),
});
export type AllowedAddress = z.output<typeof AllowedAddress>;

const LocalServer = z.object({
  name: z.string().describe("Ollama, LM Studio, llama.cpp or vLLM"),
  kind: ProviderKind,
  baseUrl: z.string().describe("For the config of a provider of this kind"),
  address: z.string().describe("`host:port`"),
  allowed: z.boolean().describe("false: allow its address first"),
  models: z.number().int().describe("How many models it offers"),
});
export type LocalServer = z.output<typeof LocalServer>;

export const addressesContract = {
  readAllowedAddresses: route({
    method: "get",
    path: "/api/v1/services-config/allowed-addresses",
    access: "service-secret",
    summary: "The allowed addresses, for the services that call them",
    ok: z.array(z.string()),
  }),
  listAllowedAddresses: route({
    method: "get",
    path: addresses,
    access: "operator",
    permission: "model:administer",
    summary: "List the private addresses that are allowed for providers and tool servers",
    query: pageQuery,
    ok: pageOf(AllowedAddress),
  }),
  allowAddress: route({
    method: "post",
    path: addresses,
    access: "operator",
    permission: "model:administer",
    changes: "provider",
    summary: "Allow a private address for providers and tool servers",
    description:
      "Only this host and port, and never an address of a cloud's metadata or of this server " +
      "itself. Nothing else may call it. Allowing it again changes nothing.",
    body: z.object({ address: Address }),
    status: 201,
    ok: AllowedAddress,
  }),
  revokeAddress: route({
    method: "delete",
    path: `${addresses}/:address`,
    access: "operator",
    permission: "model:administer",
    changes: "provider",
    summary: "Allow a private address no longer",
    description: "New calls are refused at once; those that run go on to their end.",
    params: z.object({ address: Address }),
  }),
  findLocalServers: route({
    method: "get",
    path: "/api/v1/local-model-servers",
    access: "operator",
    permission: "model:administer",
    summary: "Find servers of models on this machine, at their usual ports",
    ok: z.object({ items: z.array(LocalServer) }),
  }),
};

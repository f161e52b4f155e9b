import { type ProviderKind, providerKinds } from "./contract-provider-kinds.ts";
import type { ProviderClient } from "./provider-client.ts";

export type LoadClient = (kind: ProviderKind) => Promise<ProviderClient>;

/** Loads the client of each kind of provider once, when it is first used. */
export function createClientLoader(): LoadClient {
  const clients = new Map<ProviderKind, Promise<ProviderClient>>();
  return (kind) => {
    const client = clients.get(kind) ?? providerKinds[kind].loadClient();
    clients.set(kind, client);
    return client;
  };
}

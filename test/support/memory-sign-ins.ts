import type { Leases } from "../../src/platform/lease/leases.ts";
import type {
  Connection,
  SignInStore,
} from "../../src/services/tool-gateway/sign-in/store.ts";

/** Connections of tool servers in memory, for one process without a database. */
export function memorySignIns(): SignInStore {
  const connections = new Map<string, Connection>();
  const clients = new Map<string, Parameters<SignInStore["saveClient"]>[3]>();
  const pending = new Map<string, Parameters<SignInStore["begin"]>[1]>();
  const taken = new Set<string>();
  const pinned = new Map<string, string>();
  const keyOf = (...parts: string[]) => JSON.stringify(parts);
  const change = (
    { server, userId }: Pick<Connection, "server" | "userId">,
    by: Partial<Connection>,
    version?: string,
  ) => {
    const key = keyOf(server, userId);
    const found = connections.get(key);
    if (!found || (version ?? found.version) !== found.version) return false;
    connections.set(key, { ...found, ...by });
    return true;
  };
  return {
    find: async (server, userId) => connections.get(keyOf(server, userId)),
    findListing: async (server) =>
      [...connections.values()].find((one) => one.server === server && one.lists),
    listOf: async (userId) =>
      [...connections.values()].filter((one) => one.userId === userId),
    async save(stateHash, connection) {
      if (!pending.delete(stateHash)) return false;
      const { server, userId } = connection;
      const lists =
        connection.lists || connections.get(keyOf(server, userId))?.lists === true;
      const version = crypto.randomUUID();
      const saved = { ...connection, version, lists, connectedAt: new Date() };
      connections.set(keyOf(server, userId), saved);
      return true;
    },
    async renew(of, grant, expiresAt) {
      const version = crypto.randomUUID();
      return change(of, { grant, expiresAt, version }, of.version) ? version : undefined;
    },
    async expire(of) {
      change(of, { grant: undefined, expiresAt: undefined }, of.version);
    },
    async wantScopes(of, scopes) {
      change(of, { wantedScopes: [...scopes] });
    },
    async remove({ server, userId }) {
      connections.delete(keyOf(server, userId));
    },
    findClient: async (...of) => clients.get(keyOf(...of))?.client,
    async saveClient(server, issuer, redirectUri, registered) {
      clients.set(keyOf(server, issuer, redirectUri), registered);
    },
    async removeClient(server, issuer) {
      for (const key of clients.keys())
        if (key.startsWith(keyOf(server, issuer).slice(0, -1))) clients.delete(key);
    },
    async pinIssuer(of, issuer) {
      const key = keyOf(of.server, of.url, of.clientId);
      pinned.set(key, pinned.get(key) ?? issuer);
      return pinned.get(key) ?? issuer;
    },
    findPinned: async (of) => pinned.get(keyOf(of.server, of.url, of.clientId)),
    async begin(stateHash, signIn) {
      pending.set(stateHash, signIn);
    },
    async take(stateHash, userId) {
      const found = pending.get(stateHash);
      if (found?.userId !== userId || taken.has(stateHash)) return undefined;
      taken.add(stateHash);
      return found;
    },
  };
}

/** Leases of one process, which holds all of them. */
export const OWN_LEASES: Leases = {
  take: async () => undefined,
  run: (_name, _options, work) =>
    work({
      fence: 1,
      signal: new AbortController().signal,
      async [Symbol.asyncDispose]() {},
    }),
};

/**
 * Visits the address of an authorization server as a browser whose user agrees at once.
 * @returns what it sends back.
 */
export async function agree(url: string): Promise<{
  state: string;
  callback: string;
  code?: string;
  iss?: string;
  error?: string;
}> {
  const response = await fetch(url, { redirect: "manual" });
  await response.body?.cancel();
  const address = new URL(response.headers.get("location") ?? "", url);
  const back = address.searchParams;
  const [state = "", code, iss, error] = ["state", "code", "iss", "error"].map(
    (name) => back.get(name) ?? undefined,
  );
  return {
    state,
    callback: address.pathname.split("/").at(-1) ?? "",
    ...(code !== undefined && { code }),
    ...(iss !== undefined && { iss }),
    ...(error !== undefined && { error }),
  };
}

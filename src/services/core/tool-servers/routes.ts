import type { Database } from "../../../platform/db/database.ts";
import { type Caller } from "../../../platform/http/caller.ts";
import { operates } from "../../../platform/http/guard.ts";
import { offsetOf } from "../../../platform/http/page.ts";
import { json } from "../../../platform/http/respond.ts";
import type { Routes } from "../../../platform/http/routes.ts";
import type { Outgoing } from "../../../platform/outgoing/outgoing.ts";
import type { ProviderEntry } from "../../completion/contract-catalogue.ts";
import { secretFields } from "../../completion/contract-provider-kinds.ts";
import type { ToolServer } from "../../tool-gateway/contract.ts";
import { type ConfiguredServer, coreContract as contract } from "../contract.ts";
import { readCatalogue } from "../catalogue/store.ts";
import {
  changeToolServer,
  createToolServer,
  deleteToolServer,
  listToolServers,
  readToolServers,
} from "./store.ts";

interface Deps {
  db: Database;
  endpoints: Outgoing;
  encryptionKey: string;
}

const NO_STORE = { "cache-control": "no-store" };

/** Tool servers, and the `/services-config` that other services read: they and the providers. */
export function toolServerRoutes(
  routes: Routes,
  { db, endpoints, encryptionKey }: Deps,
): Routes {
  // which commands there are, the tool gateway knows
  const check = (url: string) => {
    if (!url.startsWith("stdio:")) endpoints.check(url);
  };
  const answerServers = async ({ caller }: { caller: Caller }) => {
    const servers = mayReadAddresses(caller)
      ? await readToolServers(db, encryptionKey)
      : [];
    const permitted = mayReadSecrets(caller) ? servers : servers.map(withoutSecrets);
    return json(contract.mcpServers.ok?.parse(permitted), 200, NO_STORE);
  };
  return routes
    .on(contract.modelsProviders, async ({ caller }) => {
      const catalogue = await readCatalogue(db, encryptionKey);
      if (mayReadSecrets(caller)) return json(catalogue, 200, NO_STORE);
      const toPermitted = mayReadAddresses(caller) ? withoutKeys : withoutConfig;
      const providers = catalogue.providers.map(toPermitted);
      return json({ ...catalogue, providers }, 200, NO_STORE);
    })
    .on(contract.mcpServers, answerServers)
    .on(contract.mcpServersBare, answerServers)
    .on(contract.listToolServers, async ({ query }) => {
      const { items, total } = await listToolServers(
        db,
        encryptionKey,
        query.limit,
        offsetOf(query),
      );
      return { items: items.map(toMasked), total, page: query.page, limit: query.limit };
    })
    .on(contract.createToolServer, async ({ body }) => {
      check(body.url);
      return toMasked(await createToolServer(db, body, encryptionKey));
    })
    .on(contract.changeToolServer, async ({ params, body }) => {
      check(body.url);
      return toMasked(await changeToolServer(db, params.name, body, encryptionKey));
    })
    .on(contract.deleteToolServer, ({ params }) => deleteToolServer(db, params.name));
}

/** Only a service with its secret, or one in this process, may read keys. */
function mayReadSecrets(caller: Caller): boolean {
  return caller.kind === "service";
}

/** Users who are not administrators do not see the addresses of providers and tool servers. */
function mayReadAddresses(caller: Caller): boolean {
  return caller.kind !== "user" || operates(caller, "model:administer");
}

function withoutConfig(provider: ProviderEntry): ProviderEntry {
  return { ...provider, config: {} };
}

/** Each secret is `{"configured": true}`. */
function withoutKeys(provider: ProviderEntry): ProviderEntry {
  const secrets = secretFields(provider.kind);
  const fields = Object.entries(provider.config).map(([field, value]) => {
    const isSecret = secrets.includes(field);
    return [field, isSecret ? { configured: true } : withoutUserinfo(value)];
  });
  return { ...provider, config: Object.fromEntries(fields) };
}

function withoutUserinfo(value: unknown): unknown {
  if (typeof value !== "string" || !URL.canParse(value)) return value;
  const url = new URL(value);
  if (!url.username && !url.password) return value;
  url.username = "";
  url.password = "";
  return url.href;
}

function withoutSecrets(entry: ToolServer): ConfiguredServer {
  const url = String(withoutUserinfo(entry.url));
  return { ...withHeadersAs({ configured: true as const }, entry), url };
}

function toMasked(entry: ToolServer) {
  return withHeadersAs("•••" as const, entry);
}

function withHeadersAs<Value>(value: Value, { headers, oauth, ...entry }: ToolServer) {
  const names = headers && Object.keys(headers);
  const { clientSecret, ...shown } = oauth ?? {};
  return {
    ...entry,
    ...(oauth && { oauth: { ...shown, ...(clientSecret && { clientSecret: value }) } }),
    ...(names && { headers: Object.fromEntries(names.map((name) => [name, value])) }),
  };
}

import type { Database } from "../../../platform/db/database.ts";
import { type Caller, isOperator } from "../../../platform/http/caller.ts";
import { offsetOf } from "../../../platform/http/page.ts";
import { json } from "../../../platform/http/respond.ts";
import type { Routes } from "../../../platform/http/routes.ts";
import type { Outgoing } from "../../../platform/outgoing/outgoing.ts";
import type { ProviderEntry } from "../../completion/contract-catalogue.ts";
import { secretFields } from "../../completion/contract-provider-kinds.ts";
import type { ToolServer } from "../../tool-gateway/contract.ts";
import { coreContract as contract } from "../contract.ts";
import { readCatalogue } from "../catalogue/store.ts";
import {
  changeToolServer,
  createToolServer,
  deleteToolServer,
  listToolServers,
  readToolServers,
} from "./tool-servers.ts";

interface Deps {
  db: Database;
  outgoing: Outgoing;
  encryptionKey: string;
}

const NO_STORE = { "cache-control": "no-store" };

export function servicesConfigRoutes(
  routes: Routes,
  { db, outgoing, encryptionKey }: Deps,
): Routes {
  const servers = async ({ caller }: { caller: Caller }) => {
    const entries = operates(caller) ? await readToolServers(db, encryptionKey) : [];
    return json(
      contract.mcpServers.ok?.parse(trusted(caller) ? entries : entries.map(withoutSecrets)),
      200,
      NO_STORE,
    );
  };
  return routes
    .on(contract.modelsProviders, async ({ caller }) => {
      const catalogue = await readCatalogue(db, encryptionKey);
      const shown = operates(caller) ? configuredOnly : withoutConfig;
      const providers = trusted(caller) ? catalogue.providers : catalogue.providers.map(shown);
      return json({ ...catalogue, providers }, 200, NO_STORE);
    })
    .on(contract.mcpServers, servers)
    .on(contract.mcpServersBare, servers)
    .on(contract.listToolServers, async ({ query }) => {
      const { items, total } = await listToolServers(
        db,
        encryptionKey,
        query.limit,
        offsetOf(query),
      );
      return { items: items.map(masked), total, page: query.page, limit: query.limit };
    })
    .on(contract.createToolServer, async ({ body }) => {
      outgoing.check(body.url);
      return masked(await createToolServer(db, body, encryptionKey));
    })
    .on(contract.changeToolServer, async ({ params, body }) => {
      outgoing.check(body.url);
      return masked(await changeToolServer(db, params.name, body, encryptionKey));
    })
    .on(contract.deleteToolServer, ({ params }) => deleteToolServer(db, params.name));
}

/**
 * A service that showed its secret, or a sibling in this process. Whoever merely reached the port
 * sees no secret.
 */
function trusted(caller: Caller): boolean {
  return caller.kind === "service";
}

/**
 * Who signs in without administering has no business with where providers and tool servers are.
 * Source: design "Who may call".
 */
function operates(caller: Caller): boolean {
  return caller.kind !== "user" || isOperator(caller);
}

function withoutConfig(provider: ProviderEntry): ProviderEntry {
  return { ...provider, config: {} };
}

/** Source: design, services-config: secrets read `{"configured": true}`. */
function configuredOnly(provider: ProviderEntry): ProviderEntry {
  const secrets = secretFields(provider.kind);
  return {
    ...provider,
    config: Object.fromEntries(
      Object.entries(provider.config).map(([field, value]) => [
        field,
        secrets.includes(field) ? { configured: true } : withoutUserinfo(value),
      ]),
    ),
  };
}

function withoutUserinfo(value: unknown): unknown {
  if (typeof value !== "string" || !URL.canParse(value)) return value;
  const url = new URL(value);
  if (!url.username && !url.password) return value;
  url.username = "";
  url.password = "";
  return url.href;
}

function withoutSecrets({ headers: _, ...entry }: ToolServer): ToolServer {
  return { ...entry, url: String(withoutUserinfo(entry.url)) };
}

function masked({ headers, ...entry }: ToolServer) {
  return {
    ...entry,
    ...(headers && {
      headers: Object.fromEntries(Object.keys(headers).map((name) => [name, "•••" as const])),
    }),
  };
}

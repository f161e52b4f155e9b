import { openOutgoing } from "../../platform/outgoing/open-outgoing.ts";
import { defineService } from "../../platform/service.ts";
import { SEARCH_ENGINES_CHANGED } from "../core/search-engines/contract.ts";
import { webContract } from "./contract.ts";
import { enginesConfig, openEngines } from "./open-engines.ts";
import { webRoutes } from "./routes.ts";
import { createWebSearch } from "./search-web.ts";
import { readStoredEngines } from "./stored-engines.ts";

export default defineService({
  name: "web",
  port: 4000,
  contract: webContract,
  config: enginesConfig,
  uses: ["core"],
  async create({ config, cache, log, outgoing, endpoints, workers, peer, hasPeer }) {
    const { SEARXNG_URL: url } = config;
    // the operator configured this address, so it may be private; pages may not
    const toEngines = openOutgoing({
      allow: url === undefined ? [] : [new URL(url).host],
      own: () => [],
    });
    const stored = readStoredEngines(hasPeer("core") ? peer("core") : undefined, log);
    const changes = await cache.subscribe(SEARCH_ENGINES_CHANGED, stored.forget);
    const search = createWebSearch({
      environment: openEngines(config),
      stored,
      fetch: ({ fromEnvironment }) => (fromEnvironment ? toEngines : endpoints).fetch,
      cache,
      log,
    });
    return {
      routes: webRoutes({ search, pages: { outgoing, workers, cache } }),
      async close() {
        await changes[Symbol.asyncDispose]();
        await toEngines[Symbol.asyncDispose]();
      },
    };
  },
});

import { openOutgoing } from "../../platform/outgoing/open-outgoing.ts";
import { defineService } from "../../platform/service.ts";
import { webContract } from "./contract.ts";
import { enginesConfig, openEngines } from "./engines/engines.ts";
import { webRoutes } from "./routes.ts";
import { createWebSearch } from "./search-web.ts";

export default defineService({
  name: "web",
  port: 4000,
  contract: webContract,
  config: enginesConfig,
  async create({ config, cache, log, outgoing, workers }) {
    const { SEARXNG_URL: url } = config;
    // the operator configured this address, so it may be private; pages may not
    const toEngines = openOutgoing({
      allow: url === undefined ? [] : [new URL(url).host],
      own: () => [],
    });
    const search = createWebSearch({
      engines: openEngines(config),
      outgoing: toEngines,
      log,
    });
    return {
      routes: webRoutes({ search, pages: { outgoing, workers, cache } }),
      close: async () => toEngines[Symbol.asyncDispose](),
    };
  },
});

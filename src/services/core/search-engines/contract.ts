import { z } from "zod";
import { jsonObject } from "../../../platform/http/bounds.ts";
import { pageOf, pageQuery } from "../../../platform/http/page.ts";
import { route } from "../../../platform/http/route.ts";
import { EngineKind } from "../../web/contract-engine-kinds.ts";
import { EngineState, EngineTest, SearchRequest } from "../../web/contract.ts";

/** Search engines of the web: those of the environment, and those that administrators add. */

/** The channel of the cache on which core announces changes. */
export const SEARCH_ENGINES_CHANGED = "search-engines-changed";
/** How many may be added. */
export const MAX_ENGINES = 20;

const engines = "/api/v1/search-engines";
const byId = z.object({ id: z.uuid() });
const Name = z.string().trim().min(1).max(200);
const Config = jsonObject(10).describe(
  "Must match the config schema of the kind. A key sent as ••• stays, if the address stays",
);

const SearchEngine = z.object({
  id: z.string(),
  kind: z.string(),
  name: z.string(),
  enabled: z.boolean(),
  fromEnvironment: z
    .boolean()
    .describe("Set in the environment: asked first, and changed there alone"),
  config: z.record(z.string(), z.string()).describe("Keys read as •••"),
  state: EngineState.describe("Empty where the web service cannot be asked"),
});
export type SearchEngine = z.output<typeof SearchEngine>;

export const NewEngine = z.object({
  kind: EngineKind,
  name: Name.optional().describe("Default: the name of the kind"),
  enabled: z.boolean().default(true),
  config: Config,
});
export type NewEngine = z.output<typeof NewEngine>;
export const EngineChange = z
  .object({ name: Name, enabled: z.boolean(), config: Config })
  .partial();
export type EngineChange = z.output<typeof EngineChange>;

const query = SearchRequest.shape.query.default("weather forecast");
const operator = { access: "operator", permission: "tool:administer" } as const;

export const searchEnginesContract = {
  listSearchEngines: route({
    ...operator,
    method: "get",
    path: engines,
    summary: "List the search engines in the order in which they are asked",
    query: pageQuery,
    ok: pageOf(SearchEngine),
  }),
  listSearchEngineKinds: route({
    ...operator,
    method: "get",
    path: `${engines}/kinds`,
    summary:
      "List the kinds of search engines, each with the JSON Schema of its configuration",
    ok: z.array(
      z.object({
        kind: z.string(),
        title: z.string(),
        configSchema: z.record(z.string(), z.unknown()),
      }),
    ),
  }),
  createSearchEngine: route({
    ...operator,
    method: "post",
    path: engines,
    changes: "search-engine",
    summary: "Add a search engine, asked after the others",
    body: NewEngine,
    status: 201,
    ok: SearchEngine,
  }),
  testNewSearchEngine: route({
    ...operator,
    method: "post",
    path: `${engines}/test`,
    changes: "none",
    summary: "Search by an engine before it is saved",
    description:
      "Stores nothing. The configuration is checked as on saving (400). An engine that does not " +
      "answer as it should is a 200 with `ok: false` and the reason in `error`.",
    body: NewEngine.pick({ kind: true, config: true }).extend({
      id: z
        .uuid()
        .optional()
        .describe("A saved engine, whose keys replace those sent as •••"),
      query,
    }),
    ok: EngineTest,
  }),
  orderSearchEngines: route({
    ...operator,
    method: "put",
    path: `${engines}/order`,
    changes: "search-engine",
    summary: "Order the search engines that are not of the environment",
    body: z.object({
      ids: z
        .array(z.uuid())
        .max(MAX_ENGINES)
        .describe("Each of them once, in the order in which they are asked"),
    }),
  }),
  changeSearchEngine: route({
    ...operator,
    method: "patch",
    path: `${engines}/:id`,
    changes: "search-engine/:id",
    summary: "Change a search engine",
    params: byId,
    body: EngineChange,
    ok: SearchEngine,
  }),
  deleteSearchEngine: route({
    ...operator,
    method: "delete",
    path: `${engines}/:id`,
    changes: "search-engine/:id",
    summary: "Remove a search engine",
    params: byId,
  }),
  testSearchEngine: route({
    ...operator,
    method: "post",
    path: `${engines}/:id/test`,
    changes: "none",
    summary: "Search by a saved engine, or by one of the environment",
    params: z.object({ id: z.string().min(1).max(100) }),
    body: z.object({ query }),
    ok: EngineTest,
  }),
};

/** For the web service. */
export const storedEnginesContract = {
  storedSearchEngines: route({
    method: "get",
    path: "/api/v1/services-config/search-engines",
    access: "service-secret",
    summary: "The enabled search engines with their keys, for the web service",
    ok: z.object({
      engines: z.array(
        z.object({
          id: z.string(),
          version: z.string().describe("Another one after each change"),
          kind: EngineKind,
          name: z.string(),
          config: z.record(z.string(), z.string()).meta({ secret: true }),
        }),
      ),
    }),
  }),
};

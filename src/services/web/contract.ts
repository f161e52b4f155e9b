import { z } from "zod";
import { jsonObject } from "../../platform/http/bounds.ts";
import { ReportedError } from "../../platform/http/reported-error.ts";
import { route } from "../../platform/http/route.ts";
import { EngineKind } from "./contract-engine-kinds.ts";

/** Of a page's text; the rest is left out. */
export const MAX_PAGE_CHARACTERS = 400_000;
const MAX_RESULTS = 20;

export const SearchRequest = z.object({
  query: z.string().trim().min(1).max(400),
  limit: z.number().int().min(1).max(MAX_RESULTS).default(8),
  site: z
    .string()
    .max(253)
    .refine(
      (site) => /^[\p{L}\p{N}.-]+$/u.test(site),
      "the name of a site, such as example.org",
    )
    .optional(),
  since: z.enum(["day", "week", "month", "year"]).optional(),
});
export type SearchRequest = z.output<typeof SearchRequest>;

const SearchResult = z.object({
  title: z.string(),
  url: z.string(),
  snippet: z.string(),
  publishedAt: z.string().optional(),
});

export const WebPage = z.object({
  url: z.string().describe("Where the page is, after redirects"),
  title: z.string(),
  markdown: z.string().describe(`At most ${MAX_PAGE_CHARACTERS} characters`),
  mediaType: z.string(),
  fetchedAt: z.iso.datetime(),
});
export type WebPage = z.output<typeof WebPage>;

/** What is known of an engine from its last answers. */
export const EngineState = z.object({
  restsUntil: z.iso
    .datetime()
    .optional()
    .describe("It is not asked until then, while another one answers"),
  problem: ReportedError.optional().describe("Why it rests"),
  remaining: z
    .number()
    .int()
    .optional()
    .describe("Searches that its quota has left, where it says so"),
});
export type EngineState = z.output<typeof EngineState>;

/** What came of a search that tests an engine. */
export const EngineTest = z.object({
  ok: z.boolean(),
  latencyMs: z.number(),
  error: ReportedError.optional(),
  results: z.array(SearchResult).describe("The first of what was found"),
});
export type EngineTest = z.output<typeof EngineTest>;

/** Between services: what leaves is what a permitted tool of a reply asks for. */
export const webContract = {
  webEngines: route({
    method: "get",
    path: "/api/v1/web/engines",
    access: "service-secret",
    summary:
      "List the search engines that are set up, in the order in which they are asked",
    ok: z.object({
      engines: z.array(
        z.object({
          id: z.string(),
          kind: z.string(),
          name: z.string(),
          fromEnvironment: z.boolean(),
          state: EngineState,
        }),
      ),
      settings: z
        .array(z.string())
        .describe(
          "The environment variables of which any engine's make the web searchable",
        ),
    }),
  }),
  searchWeb: route({
    method: "post",
    path: "/api/v1/web/search",
    access: "service-secret",
    changes: "none",
    summary: "Search the web by the first engine that answers",
    body: SearchRequest,
    ok: z.object({
      results: z.array(SearchResult),
      engine: z.string().describe("Which one answered"),
    }),
  }),
  testWebEngine: route({
    method: "post",
    path: "/api/v1/web/engines/test",
    access: "service-secret",
    changes: "none",
    summary: "Search by one engine, of the environment or with the given configuration",
    body: z.object({
      engine: z.union([
        z.object({ id: z.string().max(100).describe("One of the environment") }),
        z.object({
          kind: EngineKind,
          name: z.string().max(200),
          config: jsonObject(10),
        }),
      ]),
      query: SearchRequest.shape.query,
    }),
    ok: EngineTest,
  }),
  readWebPage: route({
    method: "post",
    path: "/api/v1/web/read",
    access: "service-secret",
    changes: "none",
    summary: "Read a page or a file of the public web as text",
    body: z.object({
      url: z.string().min(1).max(8_000),
      userId: z
        .string()
        .max(300)
        .optional()
        .describe("For whom; users take turns where pages are converted"),
    }),
    ok: WebPage,
  }),
};

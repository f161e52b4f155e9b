import { z } from "zod";
import { route } from "../../platform/http/route.ts";

/** Of a page's text; the rest is left out. */
export const MAX_PAGE_CHARACTERS = 400_000;
export const MAX_RESULTS = 20;

export const SearchRequest = z.object({
  query: z.string().trim().min(1).max(400),
  limit: z.number().int().min(1).max(MAX_RESULTS).default(8),
  site: z
    .string()
    .max(253)
    .regex(/^[\p{L}\p{N}.-]+$/u, "the name of a site, such as example.org")
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

/** Between services: what leaves is what a permitted tool of a reply asks for. */
export const webContract = {
  webEngines: route({
    method: "get",
    path: "/api/v1/web/engines",
    access: "service-secret",
    summary:
      "List the search engines that are set up, in the order in which they are asked",
    ok: z.object({
      engines: z.array(z.object({ kind: z.string(), title: z.string() })),
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

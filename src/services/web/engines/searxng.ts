import { z } from "zod";
import { defineEngine, optionalText, plain, results, toDate, withSite } from "./engine.ts";

const Answer = z.object({
  results: results(
    z.object({
      url: z.string(),
      title: optionalText,
      content: optionalText,
      publishedDate: optionalText,
    }),
  ),
});

/** Source: docs.searxng.org, Search API. The instance must permit the format `json`. */
export const searxng = defineEngine({
  kind: "searxng",
  title: "SearXNG",
  config: z.object({
    baseUrl: z
      .url({ protocol: /^https?$/ })
      .max(2_000)
      .meta({ title: "Address", description: "Its settings must permit the format json" }),
  }),
  variables: { baseUrl: "SEARXNG_URL" },
  toRequest({ baseUrl }, query) {
    const url = new URL(`${baseUrl.replace(/\/$/, "")}/search`);
    url.searchParams.set("q", withSite(query));
    url.searchParams.set("format", "json");
    if (query.since) url.searchParams.set("time_range", query.since);
    return { url: url.href };
  },
  read: (answer) =>
    Answer.parse(answer).results.map(({ url, title, content, publishedDate }) => ({
      url,
      title: plain(title),
      snippet: plain(content),
      publishedAt: toDate(publishedDate),
    })),
});

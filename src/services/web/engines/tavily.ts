import { z } from "zod";
import { apiKey, defineEngine, optionalText, plain, results, toDate } from "./engine.ts";

const Answer = z.object({
  results: results(
    z.object({
      url: z.string(),
      title: optionalText,
      content: optionalText,
      published_date: optionalText,
    }),
  ),
});
const MAX_RESULTS = 20;

/** Source: docs.tavily.com, POST /search. */
export const tavily = defineEngine({
  kind: "tavily",
  title: "Tavily",
  config: z.object({ apiKey: apiKey() }),
  variables: { apiKey: "TAVILY_API_KEY" },
  toRequest({ apiKey: key }, { query, limit, site, since }) {
    return {
      url: "https://api.tavily.com/search",
      headers: { authorization: `Bearer ${key}` },
      body: {
        query,
        max_results: Math.min(limit, MAX_RESULTS),
        ...(site && { include_domains: [site] }),
        ...(since && { time_range: since }),
      },
    };
  },
  read: (answer) =>
    Answer.parse(answer).results.map(({ url, title, content, published_date: date }) => ({
      url,
      title: plain(title),
      snippet: plain(content),
      publishedAt: toDate(date),
    })),
});

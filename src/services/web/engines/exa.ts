import { z } from "zod";
import {
  apiKey,
  dateOf,
  defineEngine,
  optionalText,
  plain,
  results,
  toDate,
} from "./engine.ts";

const Answer = z.object({
  results: results(
    z.object({
      url: z.string(),
      title: optionalText,
      highlights: z.array(z.string()).nullish(),
      publishedDate: optionalText,
    }),
  ),
});

/** Source: docs.exa.ai, POST /search. */
export const exa = defineEngine({
  kind: "exa",
  title: "Exa",
  config: z.object({ apiKey: apiKey() }),
  variables: { apiKey: "EXA_API_KEY" },
  toRequest({ apiKey: key }, { query, limit, site, since }) {
    return {
      url: "https://api.exa.ai/search",
      headers: { "x-api-key": key },
      body: {
        query,
        numResults: limit,
        contents: { highlights: true },
        ...(site && { includeDomains: [site] }),
        ...(since && { startPublishedDate: `${dateOf(since)}T00:00:00.000Z` }),
      },
    };
  },
  read: (answer) =>
    Answer.parse(answer).results.map(({ url, title, highlights, publishedDate }) => ({
      url,
      title: plain(title),
      snippet: plain(highlights?.join(" … ")),
      publishedAt: toDate(publishedDate),
    })),
});

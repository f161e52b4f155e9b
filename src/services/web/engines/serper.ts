import { z } from "zod";
import {
  apiKey,
  defineEngine,
  optionalText,
  plain,
  results,
  toDate,
  withSite,
} from "./engine.ts";

const Answer = z.object({
  organic: results(
    z.object({
      link: z.string(),
      title: optionalText,
      snippet: optionalText,
      date: optionalText,
    }),
  ),
});
const PAST = { day: "qdr:d", week: "qdr:w", month: "qdr:m", year: "qdr:y" };

/** Source: serper.dev, POST /search. */
export const serper = defineEngine({
  kind: "serper",
  title: "Serper",
  config: z.object({ apiKey: apiKey() }),
  variables: { apiKey: "SERPER_API_KEY" },
  toRequest({ apiKey: key }, query) {
    return {
      url: "https://google.serper.dev/search",
      headers: { "x-api-key": key },
      body: {
        q: withSite(query),
        num: query.limit,
        ...(query.since && { tbs: PAST[query.since] }),
      },
    };
  },
  read: (answer) =>
    Answer.parse(answer).organic.map(({ link: url, title, snippet, date }) => ({
      url,
      title: plain(title),
      snippet: plain(snippet),
      publishedAt: toDate(date),
    })),
});

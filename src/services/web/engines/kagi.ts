import { z } from "zod";
import {
  apiKey,
  dateOf,
  defineEngine,
  optionalText,
  plain,
  results,
  toDate,
  withSite,
} from "./engine.ts";

/** Other kinds of items, such as related searches, have another `t`. */
const Answer = z.object({
  data: results(
    z.object({
      t: z.literal(0),
      url: z.string(),
      title: optionalText,
      snippet: optionalText,
      published: optionalText,
    }),
  ),
});

/** Source: help.kagi.com, Search API. */
export const kagi = defineEngine({
  kind: "kagi",
  title: "Kagi",
  config: z.object({ apiKey: apiKey() }),
  variables: { apiKey: "KAGI_API_KEY" },
  toRequest({ apiKey: key }, query) {
    const url = new URL("https://kagi.com/api/v0/search");
    const after = query.since ? ` after:${dateOf(query.since)}` : "";
    url.searchParams.set("q", withSite(query) + after);
    url.searchParams.set("limit", String(query.limit));
    return { url: url.href, headers: { authorization: `Bot ${key}` } };
  },
  read: (answer) =>
    Answer.parse(answer).data.map(({ url, title, snippet, published }) => ({
      url,
      title: plain(title),
      snippet: plain(snippet),
      publishedAt: toDate(published),
    })),
});

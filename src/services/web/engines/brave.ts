import { z } from "zod";
import {
  apiKey,
  defineEngine,
  lastNumber,
  optionalText,
  plain,
  results,
  toDate,
  withSite,
} from "./engine.ts";

const Answer = z.object({
  web: z
    .object({
      results: results(
        z.object({
          url: z.string(),
          title: optionalText,
          description: optionalText,
          page_age: optionalText,
        }),
      ),
    })
    .nullish(),
});
const FRESHNESS = { day: "pd", week: "pw", month: "pm", year: "py" };
const MAX_RESULTS = 20;

/** Source: api-dashboard.search.brave.com, Web search. */
export const brave = defineEngine({
  kind: "brave",
  title: "Brave Search",
  config: z.object({ apiKey: apiKey() }),
  variables: { apiKey: "BRAVE_SEARCH_API_KEY" },
  toRequest({ apiKey: key }, query) {
    const url = new URL("https://api.search.brave.com/res/v1/web/search");
    url.searchParams.set("q", withSite(query));
    url.searchParams.set("count", String(Math.min(query.limit, MAX_RESULTS)));
    if (query.since) url.searchParams.set("freshness", FRESHNESS[query.since]);
    return { url: url.href, headers: { "x-subscription-token": key } };
  },
  // for the window of a second and that of a month, such as "1, 14832"
  remaining: (headers) => lastNumber(headers.get("x-ratelimit-remaining")),
  read: (answer) =>
    (Answer.parse(answer).web?.results ?? []).map(
      ({ url, title, description, page_age: age }) => ({
        url,
        title: plain(title),
        snippet: plain(description),
        publishedAt: toDate(age),
      }),
    ),
});

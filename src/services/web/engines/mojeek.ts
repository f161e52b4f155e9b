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

/** Its status is `OK`, or the reason of a refusal that comes with HTTP status 200. */
const Answer = z.object({
  response: z.object({
    status: z.string(),
    results: results(
      z.object({
        url: z.string(),
        title: optionalText,
        desc: optionalText,
        date: optionalText,
      }),
    ),
  }),
});

/** Source: mojeek.com, Search API, request parameters and JSON response. */
export const mojeek = defineEngine({
  kind: "mojeek",
  title: "Mojeek",
  config: z.object({ apiKey: apiKey() }),
  variables: { apiKey: "MOJEEK_API_KEY" },
  toRequest({ apiKey: key }, { query, limit, site, since }) {
    const url = new URL("https://api.mojeek.com/search");
    url.searchParams.set("api_key", key);
    url.searchParams.set("fmt", "json");
    url.searchParams.set("q", query);
    url.searchParams.set("t", String(limit));
    if (site !== undefined) url.searchParams.set("site", site);
    // it has no word for a week
    if (since) url.searchParams.set("since", dateOf(since).replaceAll("-", ""));
    return { url: url.href };
  },
  refusal(answer) {
    const read = Answer.safeParse(answer);
    if (!read.success || read.data.response.status === "OK") return undefined;
    return /limit|quota|credit/i.test(read.data.response.status) ? "quota" : "key";
  },
  read: (answer) =>
    Answer.parse(answer).response.results.map(({ url, title, desc, date }) => ({
      url,
      title: plain(title),
      snippet: plain(desc),
      publishedAt: toDate(date),
    })),
});

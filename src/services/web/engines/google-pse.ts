import { z } from "zod";
import { apiKey, defineEngine, optionalText, plain, results } from "./engine.ts";

const Answer = z.object({
  items: results(
    z.object({ link: z.string(), title: optionalText, snippet: optionalText }),
  ),
});
const PAST = { day: "d1", week: "w1", month: "m1", year: "y1" };
const MAX_RESULTS = 10;

/** Source: developers.google.com/custom-search/v1, cse.list. */
export const googlePse = defineEngine({
  kind: "google-pse",
  title: "Google Programmable Search Engine",
  config: z.object({
    apiKey: apiKey(),
    engineId: z
      .string()
      .trim()
      .min(1)
      .max(200)
      .meta({ title: "Search engine id", description: "Google calls it cx" }),
  }),
  variables: { apiKey: "GOOGLE_PSE_API_KEY", engineId: "GOOGLE_PSE_ID" },
  toRequest({ apiKey: key, engineId: cx }, query) {
    const url = new URL("https://customsearch.googleapis.com/customsearch/v1");
    const { limit, site, since } = query;
    url.searchParams.set("cx", cx);
    url.searchParams.set("q", query.query);
    url.searchParams.set("num", String(Math.min(limit, MAX_RESULTS)));
    if (site) url.searchParams.set("siteSearch", site);
    if (since) url.searchParams.set("dateRestrict", PAST[since]);
    return { url: url.href, headers: { "x-goog-api-key": key } };
  },
  read: (answer) =>
    Answer.parse(answer).items.map(({ link: url, title, snippet }) => ({
      url,
      title: plain(title),
      snippet: plain(snippet),
    })),
});

import { z } from "zod";
import { headerSecret, httpUrl, list } from "../../../platform/config/schemas.ts";
import { brave } from "./brave.ts";
import type { Engine, EngineRequest, WebQuery } from "./engine.ts";
import { exa } from "./exa.ts";
import { googlePse } from "./google-pse.ts";
import { kagi } from "./kagi.ts";
import { searxng } from "./searxng.ts";
import { serper } from "./serper.ts";
import { tavily } from "./tavily.ts";

/** Every engine, in the order in which those that are set up are asked. */
export const ENGINES: readonly Engine[] = [
  searxng,
  brave,
  tavily,
  exa,
  serper,
  googlePse,
  kagi,
];

export const enginesConfig = z.object({
  WEB_ENGINES: list()
    .pipe(z.array(z.enum(ENGINES.map(({ kind }) => kind))))
    .default([])
    .describe(
      "Search engines in the order in which they are asked, comma-separated; " +
        "default: all that have their settings",
    ),
  SEARXNG_URL: httpUrl()
    .optional()
    .describe("A SearXNG server that permits the format json; it may be private"),
  BRAVE_SEARCH_API_KEY: headerSecret().optional().describe("Key of the Brave Search API"),
  TAVILY_API_KEY: headerSecret().optional().describe("Key of Tavily"),
  EXA_API_KEY: headerSecret().optional().describe("Key of Exa"),
  SERPER_API_KEY: headerSecret().optional().describe("Key of Serper"),
  GOOGLE_PSE_API_KEY: headerSecret()
    .optional()
    .describe("Key of Google's Custom Search JSON API; needs GOOGLE_PSE_ID"),
  GOOGLE_PSE_ID: z
    .string()
    .optional()
    .describe("The id (cx) of a Google Programmable Search Engine"),
  KAGI_API_KEY: headerSecret().optional().describe("Key of the Kagi Search API"),
});
export type EnginesConfig = z.output<typeof enginesConfig>;

/** An engine with its settings. */
export interface OpenEngine extends Pick<Engine, "kind" | "title" | "read"> {
  toRequest(query: WebQuery): EngineRequest;
}

/** The engines that have all of their settings, in the order in which they are asked. */
export function openEngines(config: EnginesConfig): OpenEngine[] {
  const order = config.WEB_ENGINES;
  const chosen =
    order.length === 0
      ? ENGINES
      : order.flatMap((kind) => ENGINES.find((engine) => engine.kind === kind) ?? []);
  const values = new Map<string, unknown>(Object.entries(config));
  return chosen.flatMap((engine) => {
    const entries = engine.settings.map((name) => [name, values.get(name)] as const);
    if (entries.some(([, value]) => typeof value !== "string" || value === "")) return [];
    // the line above has checked that all are texts
    const settings = Object.fromEntries(entries) as Record<string, string>;
    const { kind, title } = engine;
    return [
      {
        kind,
        title,
        read: (answer: unknown) => engine.read(answer),
        toRequest: (query: WebQuery) => engine.toRequest(settings, query),
      },
    ];
  });
}

/** The variables of which any engine's make the web searchable, for the sentence that says so. */
export const ENGINE_SETTINGS = ENGINES.map(({ settings }) => settings.join(" and "));

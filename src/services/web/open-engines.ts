import { z } from "zod";
import { headerSecret, httpUrl, list } from "../../platform/config/schemas.ts";
import { EngineKind, ENGINES } from "./contract-engine-kinds.ts";
import type { Engine, EngineRequest, WebQuery } from "./engines/engine.ts";

export const enginesConfig = z.object({
  WEB_ENGINES: list()
    .pipe(z.array(EngineKind))
    .default([])
    .describe(
      "Search engines of the environment in the order in which they are asked, comma-separated; " +
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
  MOJEEK_API_KEY: headerSecret().optional().describe("Key of the Mojeek Search API"),
});
export type EnginesConfig = z.output<typeof enginesConfig>;

/** An engine with its configuration. */
export interface OpenEngine extends Pick<
  Engine,
  "kind" | "title" | "read" | "refusal" | "remaining"
> {
  /** Another one after a change: what is known of an engine holds for its configuration. */
  id: string;
  /** What administrators call it. */
  name: string;
  fromEnvironment: boolean;
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
    const { kind, title, variables } = engine;
    const given = Object.entries(variables).map(([field, name]) => [
      field,
      values.get(name),
    ]);
    if (given.some(([, value]) => typeof value !== "string" || value === "")) return [];
    // the line above has checked that all are texts
    const settings = Object.fromEntries(given) as Record<string, string>;
    const id = `environment-${kind}`;
    return [openEngine(engine, settings, { id, name: title, fromEnvironment: true })];
  });
}

export function openEngine(
  engine: Engine,
  settings: Record<string, string>,
  more: Pick<OpenEngine, "id" | "name" | "fromEnvironment">,
): OpenEngine {
  return { ...engine, ...more, toRequest: (query) => engine.toRequest(settings, query) };
}

/** The variables of which any engine's make the web searchable, for the sentence that says so. */
export const ENGINE_SETTINGS = ENGINES.map(({ variables }) =>
  Object.values(variables).join(" and "),
);

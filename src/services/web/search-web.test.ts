import { expect, test } from "vitest";
import { silentLog } from "../../platform/telemetry/log.ts";
import type { SearchRequest } from "./contract.ts";
import { enginesConfig, openEngines } from "./open-engines.ts";
import { createWebSearch } from "./search-web.ts";

const { signal } = new AbortController();
const KEY = "0123456789abcdef-key";
const ASKED: SearchRequest = { query: "tide tables", limit: 5 };
const PAGE = "https://tides.example/tables";

interface Wire {
  /** The settings of the engine. */
  env: Record<string, string>;
  /** Where it is asked, and with what. */
  asked: object;
  /** Its answer, in its documented form. */
  answer: object;
  /** What is read of it. */
  snippet: string;
  publishedAt?: string;
}

const WIRES: Record<string, Wire> = {
  searxng: {
    env: { SEARXNG_URL: "http://searx.internal:8080/" },
    asked: {
      url: "http://searx.internal:8080/search?q=tide+tables+site%3Atides.example&format=json&time_range=week",
      method: "GET",
    },
    answer: {
      query: "tide tables",
      number_of_results: 1,
      results: [
        {
          url: PAGE,
          title: "Tables",
          content: "High water",
          engine: "duckduckgo",
          parsed_url: ["https", "tides.example", "/tables", "", "", ""],
          publishedDate: "2026-11-20T08:00:00",
          score: 1,
        },
      ],
      answers: [],
      suggestions: [],
      unresponsive_engines: [],
    },
    snippet: "High water",
    publishedAt: "2026-11-20T08:00:00.000Z",
  },
  brave: {
    env: { BRAVE_SEARCH_API_KEY: KEY },
    asked: {
      url: "https://api.search.brave.com/res/v1/web/search?q=tide+tables+site%3Atides.example&count=5&freshness=pw",
      method: "GET",
      headers: { "x-subscription-token": KEY },
    },
    answer: {
      type: "search",
      query: { original: "tide tables" },
      web: {
        type: "search",
        results: [
          {
            type: "search_result",
            url: PAGE,
            title: "Tables",
            description: "<strong>High</strong> water &amp; low",
            page_age: "2026-11-20T08:00:00Z",
            age: "5 days ago",
          },
        ],
      },
    },
    snippet: "High water & low",
    publishedAt: "2026-11-20T08:00:00.000Z",
  },
  tavily: {
    env: { TAVILY_API_KEY: KEY },
    asked: {
      url: "https://api.tavily.com/search",
      method: "POST",
      headers: { authorization: `Bearer ${KEY}` },
      body: {
        query: "tide tables",
        max_results: 5,
        include_domains: ["tides.example"],
        time_range: "week",
      },
    },
    answer: {
      query: "tide tables",
      answer: null,
      images: [],
      results: [
        {
          url: PAGE,
          title: "Tables",
          content: "High water",
          score: 0.9,
          raw_content: null,
        },
      ],
      response_time: 1.2,
    },
    snippet: "High water",
  },
  exa: {
    env: { EXA_API_KEY: KEY },
    asked: {
      url: "https://api.exa.ai/search",
      method: "POST",
      headers: { "x-api-key": KEY },
      body: {
        query: "tide tables",
        numResults: 5,
        contents: { highlights: true },
        includeDomains: ["tides.example"],
        startPublishedDate: expect.stringMatching(/^\d{4}-\d\d-\d\dT00:00:00\.000Z$/),
      },
    },
    answer: {
      requestId: "1",
      results: [
        {
          id: PAGE,
          url: PAGE,
          title: "Tables",
          author: null,
          publishedDate: "2026-11-20T08:00:00.000Z",
          highlights: ["High water", "low water"],
          highlightScores: [0.4, 0.3],
        },
      ],
      costDollars: { total: 0.005 },
    },
    snippet: "High water … low water",
    publishedAt: "2026-11-20T08:00:00.000Z",
  },
  serper: {
    env: { SERPER_API_KEY: KEY },
    asked: {
      url: "https://google.serper.dev/search",
      method: "POST",
      headers: { "x-api-key": KEY },
      body: { q: "tide tables site:tides.example", num: 5, tbs: "qdr:w" },
    },
    answer: {
      searchParameters: { q: "tide tables", type: "search" },
      organic: [
        {
          title: "Tables",
          link: PAGE,
          snippet: "High water",
          date: "5 days ago",
          position: 1,
        },
      ],
      credits: 1,
    },
    snippet: "High water",
  },
  "google-pse": {
    env: { GOOGLE_PSE_API_KEY: KEY, GOOGLE_PSE_ID: "cx-1" },
    asked: {
      url: "https://customsearch.googleapis.com/customsearch/v1?cx=cx-1&q=tide+tables&num=5&siteSearch=tides.example&dateRestrict=w1",
      method: "GET",
      headers: { "x-goog-api-key": KEY },
    },
    answer: {
      kind: "customsearch#search",
      queries: {},
      items: [
        {
          kind: "customsearch#result",
          title: "Tables",
          htmlTitle: "<b>Tables</b>",
          link: PAGE,
          displayLink: "tides.example",
          snippet: "High water",
        },
      ],
    },
    snippet: "High water",
  },
  kagi: {
    env: { KAGI_API_KEY: KEY },
    asked: {
      url: expect.stringMatching(
        /^https:\/\/kagi\.com\/api\/v0\/search\?q=tide\+tables\+site%3Atides\.example\+after%3A\d{4}-\d\d-\d\d&limit=5$/,
      ),
      method: "GET",
      headers: { authorization: `Bot ${KEY}` },
    },
    answer: {
      meta: { id: "1", node: "us", ms: 200 },
      data: [
        {
          t: 0,
          url: PAGE,
          title: "Tables",
          snippet: "High water",
          published: "2026-11-20T08:00:00Z",
        },
        { t: 1, list: ["tide clocks"] },
      ],
    },
    snippet: "High water",
    publishedAt: "2026-11-20T08:00:00.000Z",
  },
  mojeek: {
    env: { MOJEEK_API_KEY: KEY },
    asked: {
      url: expect.stringMatching(
        new RegExp(
          `^https://api\\.mojeek\\.com/search\\?api_key=${KEY}&fmt=json&q=tide\\+tables` +
            "&t=5&site=tides\\.example&since=\\d{8}$",
        ),
      ),
      method: "GET",
    },
    answer: {
      response: {
        status: "OK",
        head: { query: "tide tables", results: 1, return: 1 },
        results: [
          { url: PAGE, title: "Tables", desc: "<strong>High</strong> water", size: "12kb" },
        ],
      },
    },
    snippet: "High water",
  },
};

const enginesOf = (env: Record<string, string>) => openEngines(enginesConfig.parse(env));

/** A fake of all engines: answers by the host that is asked. */
function world(
  env: Record<string, string>,
  answer: (host: string, init: RequestInit) => Response | Promise<Response>,
) {
  const asked: string[] = [];
  let time = 0;
  const fetch = async (input: unknown, init: RequestInit = {}) => {
    const { host } = new URL(String(input));
    asked.push(host);
    return answer(host, init);
  };
  const kept = new Map<string, string>();
  const search = createWebSearch({
    environment: enginesOf(env),
    stored: { read: async () => [] },
    fetch: () => fetch as typeof globalThis.fetch,
    cache: {
      get: async (key) => kept.get(key) ?? null,
      set: async (key, value) => void kept.set(key, value),
      delete: async (key) => void kept.delete(key),
    },
    log: silentLog(),
    now: () => time,
  });
  const pass = (ms: number) => {
    time += ms;
  };
  return { ...search, asked, pass };
}

test.each(Object.entries(WIRES))(
  "%s is asked and read as it documents",
  async (_, wire) => {
    const { env, asked, answer, snippet, publishedAt } = wire;
    const [engine] = enginesOf(env);
    const request = engine?.toRequest({ ...ASKED, site: "tides.example", since: "week" });
    const method = request?.body === undefined ? "GET" : "POST";
    expect({ method, ...request }).toEqual(asked);
    const { search } = world(env, () => Response.json(answer));
    const { results } = await search(ASKED, signal);
    const found = {
      title: "Tables",
      url: PAGE,
      snippet,
      ...(publishedAt && { publishedAt }),
    };
    expect(results).toEqual([found]);
  },
);

test("an engine without all of its settings is not there, and their order can be set", () => {
  const kinds = (env: Record<string, string>) => enginesOf(env).map(({ kind }) => kind);
  expect(kinds({})).toEqual([]);
  expect(kinds({ GOOGLE_PSE_API_KEY: KEY })).toEqual([]);
  const both = { BRAVE_SEARCH_API_KEY: KEY, EXA_API_KEY: KEY };
  expect(kinds(both)).toEqual(["brave", "exa"]);
  expect(kinds({ ...both, WEB_ENGINES: "exa, brave" })).toEqual(["exa", "brave"]);
  expect(kinds({ ...both, WEB_ENGINES: "exa" })).toEqual(["exa"]);
  expect(enginesConfig.safeParse({ WEB_ENGINES: "altavista" }).success).toBe(false);
});

const THREE = {
  SEARXNG_URL: "http://searx.internal",
  BRAVE_SEARCH_API_KEY: KEY,
  KAGI_API_KEY: KEY,
};
const kagiAnswer = () => Response.json(WIRES["kagi"]?.answer);

test("the next engine answers for one that fails or has no quota, which then rests", async () => {
  const web = world(THREE, (host) => {
    if (host === "searx.internal") throw new TypeError("fetch failed");
    if (host === "kagi.com") return kagiAnswer();
    return new Response(`no more for ${KEY}`, {
      status: 429,
      headers: { "retry-after": "600" },
    });
  });
  expect((await web.search(ASKED, signal)).engine).toBe("Kagi");
  const all = ["searx.internal", "api.search.brave.com", "kagi.com"];
  expect(web.asked.splice(0)).toEqual(all);
  await web.search(ASKED, signal);
  expect(web.asked.splice(0)).toEqual(["kagi.com"]);
  web.pass(61_000);
  await web.search(ASKED, signal);
  expect(web.asked.splice(0)).toEqual(["searx.internal", "kagi.com"]);
  web.pass(600_000);
  await web.search(ASKED, signal);
  expect(web.asked.splice(0)).toEqual(all);
});

test.each([
  ["ERROR: Daily Limit Reached", "search_engine_quota"],
  ["ERROR: Invalid API Key", "search_engine_refuses_key"],
])("a refusal that comes with status 200 is one: %s", async (status, code) => {
  const { test: ask, list } = world({ MOJEEK_API_KEY: KEY }, () =>
    Response.json({ response: { status } }),
  );
  const [engine] = await list();
  const asked = { engine: { id: engine?.id ?? "" }, query: "tide tables" };
  expect(await ask(asked, signal)).toMatchObject({ ok: false, error: { code } });
});

test("when no engine answers, the error names each with its reason, and no key", async () => {
  const web = world(THREE, (host) => {
    if (host === "searx.internal") return new Response("<html>", { status: 200 });
    return new Response(`bad ${KEY}`, { status: host === "kagi.com" ? 402 : 401 });
  });
  const failure = await web.search(ASKED, signal).catch((error: unknown) => error);
  expect(failure).toMatchObject({
    code: "web_search_failed",
    message:
      "No search engine answered: SearXNG gives an answer that cannot be read; " +
      "Brave Search refuses its key; Kagi has no quota left. " +
      "Try again later, or ask an administrator.",
  });
  // all of them rest now: each is tried again rather than none
  await web.search(ASKED, signal).catch(() => undefined);
  expect(web.asked).toHaveLength(6);
});

test("why an engine rests and what its quota has left are known to every process", async () => {
  const web = world(THREE, (host) =>
    host === "searx.internal"
      ? new Response(null, { status: 500 })
      : Response.json(WIRES["brave"]?.answer, {
          headers: { "x-ratelimit-remaining": "1, 14832" },
        }),
  );
  await web.search(ASKED, signal);
  const states = (await web.list()).map(({ name, state }) => [name, state]);
  expect(states).toEqual([
    [
      "SearXNG",
      {
        restsUntil: "1970-01-01T00:01:00.000Z",
        problem: expect.objectContaining({ code: "search_engine_status" }),
      },
    ],
    ["Brave Search", { remaining: 14_832 }],
    ["Kagi", {}],
  ]);
});

test("answers are bounded: their size, the number of results, and what is an address", async () => {
  const env = { SEARXNG_URL: "http://searx.internal" };
  const result = (url: string) => ({ url, title: "t".repeat(1_000), content: "c" });
  const many = [
    result("javascript:alert(1)"),
    result("not an address"),
    { title: "without an address" },
    ...Array.from({ length: 50 }, (_, at) => result(`https://tides.example/${at}`)),
  ];
  const web = world(env, () => Response.json({ results: many }));
  const { results } = await web.search(ASKED, signal);
  expect(results.map(({ url }) => url)).toEqual(
    [0, 1, 2, 3, 4].map((at) => `https://tides.example/${at}`),
  );
  expect(results[0]?.title.length).toBeLessThanOrEqual(300);
  const huge = world(env, () => new Response("x".repeat(3 * 1024 * 1024)));
  await expect(huge.search(ASKED, signal)).rejects.toThrow("more than can be read");
});

test("without an engine the error names the settings of which one is missing", async () => {
  const web = world({}, kagiAnswer);
  await expect(web.search(ASKED, signal)).rejects.toMatchObject({
    code: "web_search_not_set_up",
    message: expect.stringContaining("GOOGLE_PSE_API_KEY and GOOGLE_PSE_ID"),
  });
});

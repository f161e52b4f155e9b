import { describe, expect, test } from "vitest";
import {
  completionServer,
  lines,
  type ScriptedModel,
  textOf,
} from "../../../test/support/completion-server.ts";
import type { Reply } from "../../../test/support/fake-provider/script.ts";

const YES: Reply = {
  steps: [{ text: "Yes" }],
  usage: { inputTokens: 3, outputTokens: 1 },
};
const ANSWERS: ScriptedModel = { replies: [YES] };
const json = (value: object) => JSON.stringify(value);
const TOOLS = [{ name: "weather", description: "The weather", inputSchema: {} }];

/** As providers send them. */
const FAILURES: [name: string, code: string, model: ScriptedModel][] = [
  [
    "Anthropic that is overloaded",
    "provider_failed",
    {
      kind: "anthropic",
      wire: "anthropic",
      replies: [
        {
          status: 529,
          body: json({
            type: "error",
            error: { type: "overloaded_error", message: "Overloaded" },
            request_id: "req_011",
          }),
        },
      ],
    },
  ],
  [
    "Anthropic that is overloaded within its stream",
    "provider_failed",
    {
      kind: "anthropic",
      wire: "anthropic",
      replies: [
        {
          steps: [
            {
              raw: `event: error\ndata: ${json({ type: "error", error: { type: "overloaded_error", message: "Overloaded" } })}\n\n`,
            },
          ],
        },
      ],
    },
  ],
  [
    "OpenAI at its rate limit",
    "provider_rate_limited",
    {
      replies: [
        {
          status: 429,
          headers: { "retry-after": "1", "x-ratelimit-remaining-requests": "0" },
          body: json({
            error: {
              message:
                "Rate limit reached for gpt-4o in organization org-x on tokens per min",
              type: "tokens",
              param: null,
              code: "rate_limit_exceeded",
            },
          }),
        },
      ],
    },
  ],
  [
    "OpenAI whose quota is used up",
    "provider_no_credit",
    {
      replies: [
        {
          status: 429,
          body: json({
            error: {
              message:
                "You exceeded your current quota, please check your plan and billing details.",
              type: "insufficient_quota",
              param: null,
              code: "insufficient_quota",
            },
          }),
        },
      ],
    },
  ],
  [
    "OpenAI whose key was revoked",
    "provider_refused_key",
    {
      replies: [
        {
          status: 401,
          body: json({ error: { message: "Incorrect API key", code: "invalid_api_key" } }),
        },
      ],
    },
  ],
  [
    "Azure at its rate limit",
    "provider_rate_limited",
    {
      kind: "azure",
      replies: [
        {
          status: 429,
          headers: { "retry-after": "27", "retry-after-ms": "26740" },
          body: json({
            error: {
              code: "429",
              message:
                "Requests have exceeded call rate limit of your current pricing tier. Please retry after 27 seconds.",
            },
          }),
        },
      ],
    },
  ],
  [
    "Azure without the deployment",
    "provider_model_unknown",
    {
      kind: "azure",
      replies: [
        {
          status: 404,
          body: json({
            error: {
              code: "DeploymentNotFound",
              message: "The API deployment for this resource does not exist.",
            },
          }),
        },
      ],
    },
  ],
  [
    "Ollama without the model",
    "provider_model_unknown",
    {
      kind: "ollama",
      replies: [
        {
          status: 404,
          body: json({
            error: {
              message: 'model "llama3.3" not found, try pulling it first',
              type: "not_found_error",
              param: null,
              code: null,
            },
          }),
        },
      ],
    },
  ],
  [
    "Gemini that is overloaded",
    "provider_failed",
    {
      kind: "google",
      wire: "google",
      replies: [
        {
          status: 503,
          body: json({
            error: {
              code: 503,
              message: "The model is overloaded.",
              status: "UNAVAILABLE",
            },
          }),
        },
      ],
    },
  ],
  [
    "Bedrock that throttles",
    "provider_rate_limited",
    {
      kind: "bedrock",
      wire: "bedrock",
      replies: [
        {
          status: 429,
          headers: { "x-amzn-errortype": "ThrottlingException" },
          body: json({ message: "Too many requests, please wait before trying again." }),
        },
      ],
    },
  ],
  [
    "a gateway before a server that is down",
    "provider_failed",
    { kind: "openai-compatible", replies: [{ status: 502, body: "<html>Bad Gateway" }] },
  ],
  [
    "a page in the place of a reply",
    "provider_invalid",
    {
      kind: "openai-compatible",
      replies: [{ steps: [{ raw: "<html>nonsense</html>\n\n" }] }],
    },
  ],
  [
    "a connection that is cut before the first token",
    "provider_cut",
    { replies: [{ steps: [{ cut: true }] }] },
  ],
  [
    "an address where nobody listens",
    "provider_unreachable",
    { replies: [], url: "http://127.0.0.1:9/v1" },
  ],
  ["a server that sends nothing", "provider_timeout", { replies: [{ silent: true }] }],
  [
    "a server that stalls behind its headers",
    "provider_timeout",
    { replies: [{ steps: [{ stall: true }] }] },
  ],
  [
    "Anthropic that stalls behind its headers",
    "provider_timeout",
    { kind: "anthropic", wire: "anthropic", replies: [{ steps: [{ stall: true }] }] },
  ],
];

test.each(FAILURES)(
  "%s is replaced, and the reply says by whom and why",
  async (_, code, one) => {
    const { ask, others, transactions, replaced } = await completionServer({
      ...one,
      fallbacks: [ANSWERS],
    });
    const answeredBy = { model: "a2", name: "m2", insteadOf: "a1", code };
    const response = await ask({ context: { userId: "u1" } });
    expect(response.status).toBe(200);
    const events = await lines(response);
    expect(textOf(events)).toBe("Yes");
    expect(events[0]).toEqual({ type: "answered_by", ...answeredBy });
    expect(events.at(-1)).toMatchObject({ type: "done", answeredBy });
    // counted to the one that answered, and to nobody else
    expect(transactions).toMatchObject([
      { provider: "fake-2", model: "m2", userId: "u1", inputTokens: 3 },
    ]);
    expect(replaced).toEqual([answeredBy]);
    expect(others[0]?.requests).toHaveLength(1);
  },
);

/** The request is to blame, so that another would answer what was refused. */
const REFUSALS: [name: string, code: string, model: ScriptedModel][] = [
  [
    "a wrong parameter",
    "provider_refused_request",
    {
      replies: [
        {
          status: 400,
          body: json({
            error: {
              message:
                "Unsupported value: 'temperature' does not support 2 with this model.",
              type: "invalid_request_error",
              param: "temperature",
              code: "unsupported_value",
            },
          }),
        },
      ],
    },
  ],
  [
    "a question that Azure's filter refuses",
    "provider_filtered",
    {
      kind: "azure",
      replies: [
        {
          status: 400,
          body: json({
            error: {
              code: "content_filter",
              message:
                "The response was filtered due to the prompt triggering Azure OpenAI's content management policy.",
              innererror: { code: "ResponsibleAIPolicyViolation" },
            },
          }),
        },
      ],
    },
  ],
  [
    "a conversation that is too long",
    "provider_input_too_long",
    {
      kind: "anthropic",
      wire: "anthropic",
      replies: [
        {
          status: 400,
          body: json({
            type: "error",
            error: {
              type: "invalid_request_error",
              message: "prompt is too long: 210000 tokens > 200000 maximum",
            },
          }),
        },
      ],
    },
  ],
];

test.each(REFUSALS)("%s is not replaced", async (_, code, one) => {
  const { ask, others } = await completionServer({ ...one, fallbacks: [ANSWERS] });
  const response = await ask();
  expect([response.status, await response.json()]).toMatchObject([502, { code }]);
  expect(others[0]?.requests).toHaveLength(0);
});

test("nothing is replaced after the first token, also not of reasoning", async () => {
  for (const first of [{ text: "Half" }, { reasoning: "Hm" }]) {
    const { ask, others } = await completionServer({
      replies: [{ steps: [first, { pauseMs: 30 }, { cut: true }] }],
      fallbacks: [ANSWERS],
    });
    const events = await lines(await ask());
    expect(events.map(({ type, code }) => code ?? type)).toEqual([
      "text" in first ? "text_delta" : "reasoning_delta",
      "provider_cut",
    ]);
    expect(others[0]?.requests).toHaveLength(0);
  }
});

test("a reply without a stream names who answered", async () => {
  const { ask } = await completionServer({
    replies: [{ status: 503 }],
    fallbacks: [ANSWERS],
  });
  expect(await lines(await ask({ stream: false }))).toMatchObject([
    {
      type: "message",
      content: "Yes",
      answeredBy: { model: "a2", code: "provider_failed" },
    },
  ]);
});

describe("of several fallbacks", () => {
  test("each is asked in its turn until one answers", async () => {
    const { ask, provider, others } = await completionServer({
      replies: [{ status: 429 }],
      fallbacks: [{ replies: [{ status: 401 }] }, ANSWERS, ANSWERS],
    });
    const events = await lines(await ask());
    expect(events[0]).toMatchObject({
      model: "a3",
      insteadOf: "a1",
      code: "provider_rate_limited",
    });
    const asked = [provider, ...others].map(({ requests }) => requests.length);
    expect(asked).toEqual([1, 1, 1, 0]);
  });

  test("where none answers, the failure is that of the model that was asked", async () => {
    const { ask, provider, others } = await completionServer({
      replies: [{ status: 429, headers: { "retry-after": "40" } }],
      fallbacks: [{ replies: [{ status: 401 }] }, { replies: [{ status: 404 }] }],
    });
    const response = await ask();
    expect([response.status, response.headers.get("retry-after")]).toEqual([503, "40"]);
    expect(await response.json()).toMatchObject({ code: "provider_rate_limited" });
    // resting is no reason to answer nothing
    expect((await ask()).status).toBe(503);
    const asked = [provider, ...others].map(({ requests }) => requests.length);
    expect(asked).toEqual([2, 2, 2]);
  });

  test("those that cannot take the request are passed over", async () => {
    const image = { type: "image", mediaType: "image/png", data: "iVBORw0KGgo=" };
    const pdf = { type: "file", mediaType: "application/pdf", data: "JVBERi0=" };
    const long = "word ".repeat(10_000);
    for (const [fallback, body] of [
      [{ callsTools: false }, { tools: TOOLS }],
      [{ sees: false }, { messages: [{ role: "user", content: [image] }] }],
      [{ contextWindow: 1_000 }, { messages: [{ role: "user", content: long }] }],
      // its protocol has no place for the option
      [{ kind: "anthropic", wire: "anthropic" }, { seed: 7 }],
    ] as const) {
      const { ask, others } = await completionServer({
        replies: [{ status: 429 }],
        fallbacks: [{ ...fallback, replies: [YES] }, ANSWERS],
      });
      const events = await lines(await ask(body));
      expect([Object.keys(body), events[0]?.["model"]]).toEqual([Object.keys(body), "a3"]);
      expect(others[0]?.requests).toHaveLength(0);
    }
    const { ask, others } = await completionServer({
      kind: "anthropic",
      wire: "anthropic",
      model: "claude-sonnet-4-5",
      replies: [{ status: 529 }],
      fallbacks: [ANSWERS],
    });
    const response = await ask({ messages: [{ role: "user", content: [pdf] }] });
    expect(await response.json()).toMatchObject({ code: "provider_failed" });
    expect(others[0]?.requests).toHaveLength(0);
  });

  test("those of providers that a label excludes are not asked", async () => {
    const { ask, others } = await completionServer({
      replies: [{ status: 429 }],
      fallbacks: [ANSWERS, ANSWERS],
    });
    const label = {
      id: crypto.randomUUID(),
      name: "Confidential",
      color: "red",
      providers: ["fake", "fake-3"],
      openWorld: "allowed",
      sharing: null,
    };
    const response = await ask({ labels: [label] });
    const events = await lines(response);
    expect(events[0]).toMatchObject({ type: "answered_by", model: "a3" });
    expect(others[0]?.requests).toHaveLength(0);
  });

  test("only those are asked that the user may use, and without any the model is asked as if it had none", async () => {
    const asked: unknown[] = [];
    const { ask, provider, others } = await completionServer({
      replies: [{ status: 500 }, { status: 500 }, { status: 500 }, { status: 500 }],
      fallbacks: [ANSWERS],
      findFallbacks: async (model, context) => {
        asked.push([model, context["userId"]]);
        return [];
      },
    });
    const response = await ask({ context: { userId: "u1" } });
    expect([response.status, await response.json()]).toMatchObject([
      502,
      { code: "provider_failed" },
    ]);
    expect(asked).toEqual([["a1", "u1"]]);
    expect(provider.requests.length).toBeGreaterThanOrEqual(3);
    expect(others[0]?.requests).toHaveLength(0);
  });

  test("where they cannot be read, the failure is the model's own", async () => {
    const { ask } = await completionServer({
      replies: [{ status: 401 }],
      fallbacks: [ANSWERS],
      findFallbacks: () => Promise.reject(new Error("core is down")),
    });
    expect(await (await ask()).json()).toMatchObject({ code: "provider_refused_key" });
  });
});

test("a model that failed rests: the next request does not wait for it, and later it is asked again", async () => {
  const { ask, provider, others } = await completionServer({
    replies: [{ status: 429, headers: { "retry-after": "1" } }, YES],
    fallbacks: [ANSWERS],
  });
  expect((await lines(await ask()))[0]).toMatchObject({ type: "answered_by" });
  expect((await lines(await ask()))[0]).toMatchObject({
    type: "answered_by",
    code: "provider_rate_limited",
  });
  expect([provider.requests.length, others[0]?.requests.length]).toEqual([1, 2]);
  await expect
    .poll(async () => (await lines(await ask()))[0]?.["type"], { timeout: 5_000 })
    .toBe("text_delta");
  expect(provider.requests).toHaveLength(2);
});

test("a client that leaves while the first is silent is answered by nobody", async () => {
  const { ask, provider, others } = await completionServer({
    replies: [{ silent: true }],
    fallbacks: [ANSWERS],
    fallbackAfterMs: 60_000,
  });
  const leave = new AbortController();
  const asked = ask({}, { signal: leave.signal }).catch(() => "left");
  await expect.poll(() => provider.requests.length).toBe(1);
  leave.abort();
  expect(await asked).toBe("left");
  expect(await provider.requests[0]?.ended).toBe("cut");
  expect(others[0]?.requests).toHaveLength(0);
});

test("a slow reply that has begun is not replaced", async () => {
  const { ask, others } = await completionServer({
    replies: [{ steps: [{ text: "A" }, { pauseMs: 400 }, { text: "B" }] }],
    fallbacks: [ANSWERS],
    fallbackAfterMs: 200,
  });
  expect(textOf(await lines(await ask()))).toBe("AB");
  expect(others[0]?.requests).toHaveLength(0);
});

test("all that are asked in turn have one time together, behind which nobody else is asked", async () => {
  const silent: ScriptedModel = { replies: () => ({ silent: true }) };
  const { ask, provider, others } = await completionServer({
    ...silent,
    fallbacks: [silent, ANSWERS],
    fallbackAfterMs: 400,
    chainTimeoutMs: 700,
  });
  const response = await ask();
  expect([response.status, await response.json()]).toMatchObject([
    504,
    { code: "provider_timeout" },
  ]);
  const asked = [provider, ...others].map(({ requests }) => requests.length);
  expect(asked).toEqual([1, 1, 0]);
});

test("a model that nobody may replace has the time of a chain as well, and a reply that began has more", async () => {
  const { ask } = await completionServer({
    replies: () => ({ silent: true }),
    fallbacks: [ANSWERS],
    findFallbacks: async () => [],
    timeoutMs: 60_000,
    fallbackAfterMs: 100,
    chainTimeoutMs: 300,
  });
  expect(await (await ask()).json()).toMatchObject({ code: "provider_timeout" });
  const slow = await completionServer({
    replies: [{ steps: [{ text: "A" }, { pauseMs: 500 }, { text: "B" }] }],
    fallbacks: [ANSWERS],
    chainTimeoutMs: 300,
  });
  expect(textOf(await lines(await slow.ask()))).toBe("AB");
});

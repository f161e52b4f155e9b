import { BONN, call, chunksOf, data, type Dialect, DONE, ROME } from "./dialect.ts";

/**
 * OpenRouter: comments while it waits, details of reasoning that go back, the provider's own reason
 * beside its own, errors within a choice or beside `finish_reason: error`. Sources: its guides on
 * streaming, errors and reasoning; diegosouzapw/OmniRoute#8210.
 */
const { chunk } = chunksOf({ provider: "Anthropic" });
const usage = {
  prompt_tokens: 7,
  completion_tokens: 3,
  total_tokens: 10,
  cost: 0.1,
  prompt_tokens_details: { cached_tokens: 4, cache_write_tokens: 2 },
};
const wait = ": OPENROUTER PROCESSING\n\n";
const hello = wait + chunk({ role: "assistant", content: "Hello" });
const end = (reason: string) =>
  chunk({ role: "assistant", content: "" }, reason) +
  chunk({ role: "assistant", content: "" }, null, { usage }) +
  DONE;
const thought = (text: string, more: object) =>
  chunk({
    role: "assistant",
    content: "",
    reasoning: text,
    reasoning_details: [{ type: "reasoning.text", text, index: 0, format: "x", ...more }],
  });
const thoughts =
  thought("A ", {}) + thought("plan.", {}) + thought("", { signature: "c2lnbmVk" });
const asks = (index: number, id: string, args: string) =>
  chunk({
    role: "assistant",
    content: null,
    tool_calls: [call("weather", args, { id, index })],
  });
const failing = (error: object) =>
  data({
    id: "gen-1",
    choices: [{ index: 0, delta: { content: "" }, finish_reason: "error" }],
    error,
  });

export const openrouter: Dialect = {
  kind: "openai-compatible",
  replies: {
    text: hello + wait + chunk({ role: "assistant", content: " there." }) + end("stop"),
    thinking: wait + thoughts + chunk({ content: "Hello there." }) + end("stop"),
    calls:
      wait +
      thoughts +
      asks(0, "toolu_1", ROME) +
      asks(1, "toolu_2", BONN) +
      end("tool_calls"),
    cutCall: asks(0, "toolu_1", ROME) + asks(1, "toolu_2", '{"c') + end("length"),
    length: hello + end("length"),
    filtered: hello + end("content_filter"),
    cut: hello + wait,
  },
  sentBack: ['"text":"A plan."', '"signature":"c2lnbmVk"'],
  usage: {
    inputTokens: 7,
    outputTokens: 3,
    cachedInputTokens: 4,
    cacheWriteInputTokens: 2,
  },
  errors: {
    before: [
      [
        402,
        '{"error":{"code":402,"message":"This request requires more credits"}}',
        "provider_no_credit",
      ],
      [
        404,
        '{"error":{"code":404,"message":"No endpoints found that support tool use."}}',
        "provider_without_tools",
      ],
      [
        403,
        '{"error":{"code":403,"message":"your input was flagged","metadata":{}}}',
        "provider_filtered",
      ],
      [
        200,
        data({ error: { code: 429, message: "Provider returned error" } }),
        "provider_rate_limited",
      ],
      [
        200,
        '\n\n  \n{"error":{"code":502,"message":"Provider returned error"}}',
        "provider_failed",
      ],
    ],
    inside: [
      [hello + failing({ code: 502, message: "Provider disconnected" }), "provider_failed"],
      [
        hello +
          data({
            choices: [{ index: 0, delta: {}, error: { code: 429, message: "busy" } }],
          }),
        "provider_rate_limited",
      ],
      [
        hello + data({ choices: [], error: { code: 502, message: "Worker limit" } }) + DONE,
        "provider_failed",
      ],
    ],
  },
  models: [
    {
      data: [
        {
          id: "openrouter/auto",
          name: "Auto Router",
          context_length: 2_000_000,
          pricing: {},
        },
      ],
    },
    ["openrouter/auto"],
  ],
};

import { call, chunksOf, data, type Dialect, DONE } from "./dialect.ts";

/**
 * LiteLLM: passes on what others write: calls that all have the index 0, arguments as objects,
 * thoughts in two fields, of which Claude wants the signed blocks back, codes as text. Sources: its
 * documentation of reasoning content and of exceptions; BerriAI/litellm#33678, #37792, #4407.
 */
const { chunk, last } = chunksOf({ system_fingerprint: null });
const usage = {
  prompt_tokens: 7,
  completion_tokens: 3,
  total_tokens: 10,
  prompt_tokens_details: { cached_tokens: 4, audio_tokens: null },
  cache_creation_input_tokens: 2,
};
const hello = chunk({
  role: "assistant",
  content: "Hello",
  provider_specific_fields: null,
});
const end = (reason: string) => chunk({}, reason) + last({ usage }) + DONE;
const thought = (thinking: string, signature: string) =>
  chunk({
    role: "assistant",
    content: "",
    reasoning_content: thinking,
    thinking_blocks: [{ type: "thinking", thinking, signature }],
  });
const asks = (id: string, args: unknown) =>
  chunk({ role: "assistant", tool_calls: [call("weather", args, { id, index: 0 })] });

export const litellm: Dialect = {
  kind: "openai-compatible",
  replies: {
    text: hello + chunk({ content: " there." }) + end("stop"),
    thinking:
      thought("A ", "") +
      thought("plan.", "") +
      thought("", "c2lnbmVk") +
      chunk({ content: "Hello there." }) +
      end("stop"),
    calls:
      thought("A ", "") +
      thought("plan.", "") +
      thought("", "c2lnbmVk") +
      asks("toolu_01", { city: "Rome" }) +
      asks("toolu_02", { city: "Bonn" }) +
      end("tool_calls"),
    length: hello + end("max_tokens"),
    filtered: hello + end("content_filter"),
    cut: hello,
  },
  sentBack: [
    '"thinking_blocks":[{"type":"thinking","thinking":"A plan.","signature":"c2lnbmVk"}]',
  ],
  usage: {
    inputTokens: 7,
    outputTokens: 3,
    cachedInputTokens: 4,
    cacheWriteInputTokens: 2,
  },
  errors: {
    before: [
      [
        400,
        '{"error":{"message":"litellm.ContextWindowExceededError: context window","code":"400"}}',
        "provider_input_too_long",
      ],
      [
        429,
        '{"error":{"message":"litellm.RateLimitError: slow down","type":"None","code":"429"}}',
        "provider_rate_limited",
      ],
      [
        400,
        '{"error":{"message":"litellm.ContentPolicyViolationError: content_policy_violation"}}',
        "provider_filtered",
      ],
      [
        401,
        '{"error":{"message":"Authentication Error, Invalid proxy server token","code":"401"}}',
        "provider_refused_key",
      ],
    ],
    inside: [
      [
        hello +
          data({
            error: {
              message: "MidStreamFallbackError",
              type: "None",
              param: "None",
              code: "500",
            },
          }),
        "provider_failed",
      ],
      [
        hello + data({ error: { message: "slow down", type: "None", code: "429" } }),
        "provider_rate_limited",
      ],
    ],
  },
  models: [
    {
      data: [{ id: "claude", object: "model", created: 1, owned_by: "openai" }],
      object: "list",
    },
    ["claude"],
  ],
};

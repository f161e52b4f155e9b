import { BONN, call, chunksOf, data, type Dialect, DONE, ROME } from "./dialect.ts";

/**
 * DeepSeek: comments while it waits, `reasoning_content` that goes back with calls, its own name of
 * the cached part, `insufficient_system_resource`. Sources: its API reference, guides on reasoning
 * and on context caching, and list of errors.
 */
const { chunk } = chunksOf({ system_fingerprint: "fp_1", usage: null });
const usage = {
  prompt_tokens: 7,
  completion_tokens: 3,
  total_tokens: 10,
  prompt_cache_hit_tokens: 4,
  prompt_cache_miss_tokens: 3,
};
const begin = `: keep-alive\n\n${chunk({ role: "assistant", content: null, reasoning_content: "" })}`;
const hello = begin + chunk({ content: "Hello", reasoning_content: null });
const end = (reason: string) =>
  chunk({ content: "", reasoning_content: null }, reason, { usage }) + DONE;
const thoughts =
  chunk({ content: null, reasoning_content: "A " }) +
  chunk({ content: null, reasoning_content: "plan." });
const asks = (index: number, id: string, parts: string[]) =>
  chunk({ tool_calls: [call("weather", "", { id, index })] }) +
  parts
    .map((part) => chunk({ tool_calls: [{ index, function: { arguments: part } }] }))
    .join("");

export const deepseek: Dialect = {
  kind: "openai-compatible",
  replies: {
    text: hello + chunk({ content: " there." }) + end("stop"),
    thinking: begin + thoughts + chunk({ content: "Hello there." }) + end("stop"),
    calls:
      begin +
      thoughts +
      asks(0, "call_00_a", [ROME.slice(0, 3), ROME.slice(3)]) +
      asks(1, "call_01_b", [BONN]) +
      end("tool_calls"),
    cutCall:
      begin +
      asks(0, "call_00_a", [ROME]) +
      asks(1, "call_01_b", ['{"city":']) +
      end("length"),
    length: hello + end("length"),
    filtered: hello + end("content_filter"),
    cut: `${hello}: keep-alive\n\n`,
  },
  sentBack: ['"reasoning_content":"A plan."'],
  usage: { inputTokens: 7, outputTokens: 3, cachedInputTokens: 4 },
  errors: {
    before: [
      [
        402,
        '{"error":{"message":"Insufficient Balance","type":"unknown_error"}}',
        "provider_no_credit",
      ],
      [
        400,
        '{"error":{"message":"Content Exists Risk","code":"invalid_request_error"}}',
        "provider_filtered",
      ],
      [
        400,
        '{"error":{"message":"Invalid max_tokens value, the valid range of max_tokens is [1, 8192]"}}',
        "provider_output_limit",
      ],
      [503, '{"error":{"message":"Service is too busy."}}', "provider_failed"],
    ],
    inside: [
      [hello + end("insufficient_system_resource"), "provider_failed"],
      [
        hello +
          data({
            error: { message: "Service is too busy.", type: "service_unavailable_error" },
          }),
        "provider_failed",
      ],
    ],
  },
  models: [
    {
      object: "list",
      data: [{ id: "deepseek-chat", object: "model" }, { id: "deepseek-reasoner" }],
    },
    ["deepseek-chat", "deepseek-reasoner"],
  ],
};

import { BONN, call, chunksOf, data, type Dialect, DONE, ROME } from "./dialect.ts";

/**
 * vLLM: calls in pieces with ids of the model's template, usage in every chunk when asked,
 * errors as `object: error` with 200, `abort`. Sources: its documentation of the server and of
 * reasoning; vllm-project/vllm#50627, #9693, #40816; microsoft/autogen#1037.
 */
const { chunk, last } = chunksOf({ usage: null });
const usage = {
  prompt_tokens: 7,
  completion_tokens: 3,
  total_tokens: 10,
  prompt_tokens_details: { cached_tokens: 4 },
};
const begin = chunk({ role: "assistant", content: "" });
const hello = begin + chunk({ content: "Hello" });
const end = (reason: string) =>
  chunk({ content: "" }, reason, { stop_reason: null }) + last({ usage }) + DONE;
const asks = (index: number, parts: string[]) =>
  chunk({
    tool_calls: [call("weather", "", { id: `functions.weather:${index}`, index })],
  }) +
  parts
    .map((part) => chunk({ tool_calls: [{ index, function: { arguments: part } }] }))
    .join("");

export const vllm: Dialect = {
  kind: "openai-compatible",
  replies: {
    text: hello + chunk({ content: " there." }) + end("stop"),
    thinking:
      begin +
      chunk({ reasoning_content: "A ", reasoning: "A " }) +
      chunk({ reasoning_content: "plan.", reasoning: "plan." }) +
      chunk({ content: "Hello there." }) +
      end("stop"),
    calls:
      begin +
      asks(0, ['{"ci', 'ty":"Rome"}']) +
      asks(1, [BONN.slice(0, 5), BONN.slice(5)]) +
      end("tool_calls"),
    cutCall: begin + asks(0, [ROME]) + asks(1, ['{"city": "Bo']) + end("length"),
    length: hello + end("length"),
    filtered: hello + end("content_filter"),
    cut: hello,
  },
  usage: { inputTokens: 7, outputTokens: 3, cachedInputTokens: 4 },
  errors: {
    before: [
      [
        400,
        '{"object":"error","message":"This model\'s maximum context length is 8 tokens","type":"BadRequestError","param":null,"code":400}',
        "provider_input_too_long",
      ],
      [
        400,
        '{"error":{"message":"\\"auto\\" tool choice requires --enable-auto-tool-choice"}}',
        "provider_without_tools",
      ],
      [
        404,
        '{"object":"error","message":"The model `m1` does not exist.","code":404}',
        "provider_model_unknown",
      ],
      [
        400,
        '{"object":"error","message":"At most 0 image(s) may be provided"}',
        "provider_without_images",
      ],
    ],
    inside: [
      [
        hello +
          data({ object: "error", message: "Internal server error", code: 500 }) +
          DONE,
        "provider_failed",
      ],
      [
        hello +
          data({
            error: { message: "EngineCore died", type: "InternalServerError", code: 500 },
          }) +
          DONE,
        "provider_failed",
      ],
      [hello + end("abort"), "provider_failed"],
    ],
  },
  models: [
    {
      object: "list",
      data: [
        {
          id: "Qwen/Qwen3-32B",
          owned_by: "vllm",
          root: null,
          max_model_len: 40_960,
          permission: [],
        },
      ],
    },
    ["Qwen/Qwen3-32B"],
  ],
};

import { BONN, call, chunksOf, data, type Dialect, DONE, ROME } from "./dialect.ts";

/**
 * Groq: usage and errors in `x_groq`, whole calls, a failed call as an error within the stream.
 * Sources: its API reference, guides on reasoning and tool use, list of errors.
 */
const { chunk } = chunksOf({ system_fingerprint: "fp_1" });
const usage = { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10, queue_time: 0.1 };
const begin = chunk({ role: "assistant", content: "" }, null, { x_groq: { id: "req_1" } });
const hello = begin + chunk({ content: "Hello" });
const end = (reason: string) =>
  chunk({}, reason, { x_groq: { id: "req_1", usage } }) + DONE;
const asks = (index: number, id: string, args: string) =>
  chunk({ tool_calls: [call("weather", args, { id, index })] });
const failed = {
  message: "Failed to call a function.",
  type: "invalid_request_error",
  code: "tool_use_failed",
  failed_generation: "<x>",
};

export const groq: Dialect = {
  kind: "openai-compatible",
  replies: {
    text: hello + chunk({ content: " there." }) + end("stop"),
    thinking:
      begin +
      chunk({ reasoning: "A " }) +
      chunk({ reasoning: "plan." }) +
      chunk({ content: "Hello there." }) +
      end("stop"),
    calls:
      begin + asks(0, "call_d5wg", ROME) + asks(1, "call_x8ab", BONN) + end("tool_calls"),
    length: hello + end("length"),
    filtered: hello + end("content_filter"),
    cut: hello,
  },
  usage: { inputTokens: 7, outputTokens: 3 },
  errors: {
    before: [
      [
        429,
        '{"error":{"message":"Rate limit reached","type":"tokens","code":"rate_limit_exceeded"}}',
        "provider_rate_limited",
      ],
      [
        400,
        '{"error":{"message":"Please reduce the length of the messages or completion."}}',
        "provider_input_too_long",
      ],
      [
        400,
        '{"error":{"message":"`tool calling` is not supported with this model"}}',
        "provider_without_tools",
      ],
      [498, '{"error":{"message":"Flex tier capacity exceeded"}}', "provider_failed"],
    ],
    inside: [
      [`${hello}event: error\n${data({ error: failed })}`, "provider_failed"],
      [
        hello + chunk({}, null, { x_groq: { id: "req_1", error: "over capacity" } }),
        "provider_failed",
      ],
    ],
  },
  models: [
    {
      object: "list",
      data: [
        {
          id: "llama-3.3-70b-versatile",
          active: true,
          context_window: 131_072,
          public_apps: null,
        },
      ],
    },
    ["llama-3.3-70b-versatile"],
  ],
};

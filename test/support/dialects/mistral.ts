import { BONN, call, chunksOf, data, type Dialect, DONE, ROME } from "./dialect.ts";

/**
 * Mistral: thoughts as parts of the content, whole calls with ids of nine letters and digits in one
 * chunk, usage in the last one, `model_length`, errors as `object: error`. Sources: its API
 * reference, guides on reasoning and function calling.
 */
const { chunk } = chunksOf();
const usage = { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 };
const begin = chunk({ role: "assistant", content: "" });
const hello = begin + chunk({ content: "Hello" });
const end = (reason: string, delta: object = { content: "" }) =>
  chunk(delta, reason, { usage }) + DONE;
const thought = (text: string) =>
  chunk({ content: [{ type: "thinking", thinking: [{ type: "text", text }] }] });

export const mistral: Dialect = {
  kind: "mistral",
  wire: "mistral",
  model: "mistral-small-latest",
  replies: {
    text: hello + chunk({ content: " there." }) + end("stop"),
    thinking:
      begin +
      thought("A ") +
      thought("plan.") +
      chunk({ content: [{ type: "text", text: "Hello there." }] }) +
      end("stop"),
    calls:
      begin +
      end("tool_calls", {
        content: "",
        tool_calls: [
          call("weather", ROME, { id: "D681PevKs", index: 0 }),
          call("weather", BONN, { id: "a8sK2mQ1z", index: 1 }),
        ],
      }),
    length: hello + end("model_length"),
    filtered: hello + end("content_filter"),
    cut: hello,
  },
  usage: { inputTokens: 7, outputTokens: 3 },
  errors: {
    before: [
      [401, '{"detail":"Unauthorized"}', "provider_refused_key"],
      [
        429,
        '{"object":"error","message":"Requests rate limit exceeded","code":"1300"}',
        "provider_rate_limited",
      ],
      [
        400,
        '{"object":"error","message":"Prompt contains 9 tokens, too large for model with 8 maximum context length","code":"3051"}',
        "provider_input_too_long",
      ],
      [
        422,
        '{"object":"error","message":{"detail":[{"type":"missing"}]}}',
        "provider_refused_request",
      ],
    ],
    inside: [
      [
        hello +
          data({
            object: "error",
            message: "Service unavailable",
            type: "internal_server_error",
            code: "3700",
          }),
        "provider_failed",
      ],
      [hello + end("error"), "provider_failed"],
    ],
  },
  models: [
    {
      object: "list",
      data: [
        {
          id: "mistral-small-latest",
          name: "mistral-small-2603",
          capabilities: { completion_chat: true },
          max_context_length: 128_000,
        },
      ],
    },
    ["mistral-small-latest"],
  ],
};

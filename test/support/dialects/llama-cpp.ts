import { BONN, call, chunksOf, data, type Dialect, DONE, ROME } from "./dialect.ts";

/**
 * llama.cpp: `null` as the first content, calls in pieces, `timings` beside the usage, errors as a
 * field `error:` of the stream. Sources: the README of its server; ggml-org/llama.cpp#28672.
 */
const { chunk, last } = chunksOf({ system_fingerprint: "b1" });
const usage = { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 };
const begin = chunk({ role: "assistant", content: null });
const hello = begin + chunk({ content: "Hello" });
const end = (reason: string) =>
  chunk({}, reason) + last({ usage, timings: { prompt_n: 7, predicted_n: 3 } }) + DONE;
const asks = (index: number, id: string, parts: string[]) =>
  chunk({ tool_calls: [call("weather", parts[0], { id, index })] }) +
  parts
    .slice(1)
    .map((part) => chunk({ tool_calls: [{ index, function: { arguments: part } }] }))
    .join("");

export const llamaCpp: Dialect = {
  kind: "openai-compatible",
  replies: {
    text: hello + chunk({ content: " there." }) + end("stop"),
    thinking:
      begin +
      chunk({ reasoning_content: "A " }) +
      chunk({ reasoning_content: "plan." }) +
      chunk({ content: "Hello there." }) +
      end("stop"),
    calls:
      begin +
      asks(0, "a1", ["{", ROME.slice(1)]) +
      asks(1, "b2", ["{", BONN.slice(1)]) +
      end("tool_calls"),
    cutCall: begin + asks(0, "a1", [ROME]) + asks(1, "b2", ["{", '"ci']) + end("length"),
    length: hello + end("length"),
    filtered: hello + end("content_filter"),
    cut: hello,
  },
  usage: { inputTokens: 7, outputTokens: 3 },
  errors: {
    before: [
      [
        400,
        '{"error":{"code":400,"message":"the request exceeds the available context size","type":"exceed_context_size_error","n_ctx":8}}',
        "provider_input_too_long",
      ],
      [
        500,
        '{"error":{"code":500,"message":"tools param requires --jinja flag","type":"server_error"}}',
        "provider_without_tools",
      ],
      [
        500,
        '{"error":{"code":500,"message":"image input is not supported - hint: mmproj"}}',
        "provider_without_images",
      ],
      [
        401,
        '{"error":{"code":401,"message":"Invalid API Key","type":"authentication_error"}}',
        "provider_refused_key",
      ],
    ],
    inside: [
      [
        `${hello}error: {"code":500,"message":"Context size has been exceeded.","type":"server_error"}\n\n`,
        "provider_input_too_long",
      ],
      [
        `${hello}error: {"code":500,"message":"decode failed","type":"server_error"}\n\n`,
        "provider_failed",
      ],
      [
        hello +
          data({ error: { code: 500, message: "decode failed", type: "server_error" } }),
        "provider_failed",
      ],
    ],
  },
  models: [
    {
      models: [{ name: "gemma.gguf", model: "gemma.gguf", capabilities: ["completion"] }],
      object: "list",
      data: [{ id: "gemma.gguf", object: "model", owned_by: "llamacpp", meta: null }],
    },
    ["gemma.gguf"],
  ],
};

import { BONN, call, chunksOf, data, type Dialect, DONE, ROME } from "./dialect.ts";

/**
 * Ollama: thoughts in `reasoning`, whole calls that all have the index 0, empty reasons before the
 * end, errors as bare lines. Sources: its documentation of OpenAI compatibility and of errors;
 * ollama/ollama#15457, #4357.
 */
const { chunk, last } = chunksOf({ system_fingerprint: "fp_ollama" });
const usage = { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 };
const hello = chunk({ role: "assistant", content: "Hello" }, "");
const end = (reason: string) =>
  chunk({ role: "assistant", content: "" }, reason) + last({ usage }) + DONE;
const asks = (args: string, id: string) =>
  chunk({
    role: "assistant",
    content: "",
    tool_calls: [call("weather", args, { id, index: 0 })],
  });

export const ollama: Dialect = {
  kind: "ollama",
  replies: {
    text: hello + chunk({ role: "assistant", content: " there." }, "") + end("stop"),
    thinking:
      chunk({ role: "assistant", content: "", reasoning: "A " }) +
      chunk({ role: "assistant", content: "", reasoning: "plan." }) +
      chunk({ role: "assistant", content: "Hello there." }) +
      end("stop"),
    calls: asks(ROME, "call_a1b2c3d4") + asks(BONN, "call_e5f6a7b8") + end("tool_calls"),
    length: hello + end("length"),
    filtered: hello + end("content_filter"),
    cut: hello,
  },
  usage: { inputTokens: 7, outputTokens: 3 },
  errors: {
    before: [
      [
        404,
        '{"error":{"message":"model \\"m1\\" not found","type":"api_error"}}',
        "provider_model_unknown",
      ],
      [400, '{"error":{"message":"m1 does not support tools"}}', "provider_without_tools"],
      [500, '{"error":{"message":"model requires more system memory"}}', "provider_failed"],
      [401, '{"error":"unauthorized"}', "provider_refused_key"],
    ],
    inside: [
      [`${hello}{"error":"model runner has stopped"}\n`, "provider_failed"],
      [
        hello + data({ error: { message: "an error was encountered", type: "api_error" } }),
        "provider_failed",
      ],
    ],
  },
  models: [
    {
      models: [
        { name: "llama3.2:latest", model: "llama3.2:latest", details: { family: "llama" } },
        { name: "qwen3:8b", model: "qwen3:8b", details: null },
      ],
    },
    ["llama3.2:latest", "qwen3:8b"],
  ],
};

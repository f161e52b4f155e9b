import { BONN, call, chunksOf, type Dialect, DONE, ROME } from "./dialect.ts";

/**
 * Gemini by OpenAI's protocol: calls without an index that carry the signature of a thought,
 * ended by `stop`; thoughts in tags; usage in each chunk; filters with their reason; errors in a
 * list. Sources: Gemini API, OpenAI compatibility and thought signatures; open-webui/computer#224,
 * BerriAI/litellm#6104.
 */
const usage = { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 };
const { chunk } = chunksOf({ usage });
const hello = chunk({ role: "assistant", content: "Hello" });
const end = (reason: string) => chunk({ role: "assistant" }, reason) + DONE;
const signed = { extra_content: { google: { thought_signature: "c2lnbmVk" } } };
const failure = (code: number, message: string) =>
  JSON.stringify([{ error: { code, message, status: "X" } }]);

export const geminiOpenAi: Dialect = {
  kind: "openai-compatible",
  replies: {
    text: hello + chunk({ role: "assistant", content: " there." }) + end("stop"),
    thinking:
      chunk({
        role: "assistant",
        content: "<thought>A ",
        extra_content: { google: { thought: true } },
      }) +
      chunk({
        role: "assistant",
        content: "plan.",
        extra_content: { google: { thought: true } },
      }) +
      chunk({ role: "assistant", content: "</thought>Hello there." }) +
      end("stop"),
    calls:
      chunk({
        role: "assistant",
        tool_calls: [call("weather", ROME, { id: "function-call-1", ...signed })],
      }) +
      chunk({
        role: "assistant",
        tool_calls: [call("weather", BONN, { id: "function-call-2" })],
      }) +
      end("stop"),
    length: hello + end("length"),
    filtered: hello + end("content_filter: RECITATION"),
    cut: hello,
  },
  sentBack: ['"extra_content":{"google":{"thought_signature":"c2lnbmVk"}}'],
  usage: { inputTokens: 7, outputTokens: 3 },
  errors: {
    before: [
      [
        400,
        failure(
          400,
          "The input token count (9) exceeds the maximum number of tokens allowed (8)",
        ),
        "provider_input_too_long",
      ],
      [429, failure(429, "Resource has been exhausted"), "provider_rate_limited"],
      [404, failure(404, "models/m1 is not found"), "provider_model_unknown"],
      [200, failure(503, "The model is overloaded"), "provider_failed"],
    ],
    inside: [
      [`${hello}data: ${failure(503, "The model is overloaded")}\n\n`, "provider_failed"],
      [`${hello}${failure(429, "Resource has been exhausted")}\n`, "provider_rate_limited"],
    ],
  },
  models: [
    {
      object: "list",
      data: [
        {
          id: "models/gemini-2.5-flash",
          object: "model",
          owned_by: "google",
          display_name: "Gemini",
        },
      ],
    },
    ["models/gemini-2.5-flash"],
  ],
};

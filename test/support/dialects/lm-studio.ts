import { BONN, call, chunksOf, data, type Dialect, DONE, ROME } from "./dialect.ts";

/**
 * LM Studio: thoughts in tags within the text, ids of calls that are digits, `event: error`, errors
 * as text. Sources: its documentation of the OpenAI API; lmstudio-ai/lmstudio-bug-tracker#237,
 * #2322, #1746.
 */
const { chunk, last } = chunksOf({ system_fingerprint: "m1" });
const usage = { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 };
const hello = chunk({ role: "assistant", content: "Hello" });
const end = (reason: string) => chunk({}, reason) + last({ usage }) + DONE;
const asks = (index: number, id: string, parts: string[]) =>
  chunk({ role: "assistant", tool_calls: [call("weather", "", { id, index })] }) +
  parts
    .map((part) =>
      chunk({ tool_calls: [{ index, type: "function", function: { arguments: part } }] }),
    )
    .join("");

export const lmStudio: Dialect = {
  kind: "openai-compatible",
  replies: {
    text: hello + chunk({ role: "assistant", content: " there." }) + end("stop"),
    thinking:
      ["<th", "ink>\nA ", "plan.</", "think>\n\n", "Hello there."]
        .map((content) => chunk({ role: "assistant", content }))
        .join("") + end("stop"),
    calls:
      asks(0, "365174485", [ROME.slice(0, 9), ROME.slice(9)]) +
      asks(1, "912345678", [BONN]) +
      end("tool_calls"),
    cutCall:
      asks(0, "365174485", [ROME]) + asks(1, "912345678", ['{"city"']) + end("length"),
    length: hello + end("length"),
    filtered: hello + end("content_filter"),
    cut: hello,
  },
  usage: { inputTokens: 7, outputTokens: 3 },
  errors: {
    before: [
      [
        400,
        '{"error":"The model is loaded with context length of only 8 tokens"}',
        "provider_input_too_long",
      ],
      [
        404,
        '{"error":{"message":"No such model: m1","code":"model_not_found"}}',
        "provider_model_unknown",
      ],
      [
        200,
        `event: error\n${data({ error: { message: "reached context length" } })}`,
        "provider_input_too_long",
      ],
    ],
    inside: [
      [
        `${hello}event: error\n${data({ error: { message: "Compute error." }, message: "Compute error." })}`,
        "provider_failed",
      ],
      [
        `${hello}event: error\n${data({ message: "The model has crashed" })}`,
        "provider_failed",
      ],
    ],
  },
  models: [
    {
      object: "list",
      data: [
        { id: "qwen2.5-vl-7b", object: "model", owned_by: "organization_owner" },
        { id: "text-embedding-nomic-embed-text-v1.5", object: "model" },
      ],
    },
    ["qwen2.5-vl-7b", "text-embedding-nomic-embed-text-v1.5"],
  ],
};

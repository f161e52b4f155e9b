import { BONN, call, chunksOf, data, type Dialect, DONE, ROME } from "./dialect.ts";

/**
 * Azure OpenAI: a first chunk without choices that carries the filter's results, such results in
 * each chunk, a filter that ends a reply. Sources: its reference of chat completions and guide on
 * content filtering; Azure-Samples/azure-search-openai-demo#2076.
 */
const { chunk, last } = chunksOf({ system_fingerprint: "fp_1", usage: null });
const SAFE = { content_filter_results: { hate: { filtered: false, severity: "safe" } } };
const usage = {
  prompt_tokens: 7,
  completion_tokens: 3,
  total_tokens: 10,
  prompt_tokens_details: { cached_tokens: 0 },
};
const begin =
  data({
    id: "",
    object: "",
    created: 0,
    model: "",
    choices: [],
    prompt_filter_results: [{ prompt_index: 0, ...SAFE }],
  }) + chunk({ role: "assistant", content: "", refusal: null });
const hello = begin + chunk({ content: "Hello" });
const late = data({
  id: "",
  object: "",
  choices: [
    { index: 0, finish_reason: null, ...SAFE, content_filter_offsets: { check_offset: 1 } },
  ],
});
const end = (reason: string) => chunk({}, reason) + last({ usage }) + DONE;
const asks = (index: number, id: string, parts: string[]) =>
  chunk({ tool_calls: [call("weather", "", { id, index })] }) +
  parts
    .map((part) => chunk({ tool_calls: [{ index, function: { arguments: part } }] }))
    .join("");

export const azure: Dialect = {
  kind: "azure",
  replies: {
    text: hello + late + chunk({ content: " there." }) + end("stop"),
    thinking:
      begin +
      chunk({ reasoning_content: "A plan." }) +
      chunk({ content: "Hello there." }) +
      end("stop"),
    calls:
      begin +
      asks(0, "call_1", [ROME]) +
      asks(1, "call_2", [BONN.slice(0, 4), BONN.slice(4)]) +
      end("tool_calls"),
    cutCall: begin + asks(0, "call_1", [ROME]) + asks(1, "call_2", ['{"']) + end("length"),
    length: hello + end("length"),
    filtered: hello + late + end("content_filter"),
    cut: hello,
  },
  usage: { inputTokens: 7, outputTokens: 3 },
  errors: {
    before: [
      [
        400,
        '{"error":{"code":"content_filter","status":400,"innererror":{"code":"ResponsibleAIPolicyViolation"}}}',
        "provider_filtered",
      ],
      [
        404,
        '{"error":{"code":"DeploymentNotFound","message":"The deployment does not exist"}}',
        "provider_model_unknown",
      ],
      [
        401,
        '{"error":{"code":"401","message":"Access denied due to invalid subscription key"}}',
        "provider_refused_key",
      ],
      [
        429,
        '{"error":{"code":"429","message":"exceeded token rate of your tier"}}',
        "provider_rate_limited",
      ],
    ],
    inside: [
      [
        hello +
          data({ error: { code: "server_error", message: "The server had an error" } }),
        "provider_failed",
      ],
    ],
  },
  models: [
    { data: [{ id: "gpt-4o", capabilities: { chat_completion: true } }], object: "list" },
    ["gpt-4o"],
  ],
};

import { BONN, type Dialect, json, ROME } from "./dialect.ts";

/**
 * Anthropic: blocks that begin and end, signed thoughts that go back, usage at both ends,
 * `refusal`, errors as an event. Sources: its API reference, streaming, errors and stop reasons;
 * vercel/ai#19165.
 */
const event = (type: string, fields: object = {}) =>
  `event: ${type}\ndata: ${json({ type, ...fields })}\n\n`;
const begin =
  event("message_start", {
    message: {
      id: "msg_1",
      type: "message",
      role: "assistant",
      model: "m1",
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: {
        input_tokens: 1,
        cache_read_input_tokens: 4,
        cache_creation_input_tokens: 2,
        output_tokens: 1,
      },
    },
  }) + event("ping");
const block = (index: number, content_block: object, deltas: object[]) =>
  event("content_block_start", { index, content_block }) +
  deltas.map((delta) => event("content_block_delta", { index, delta })).join("") +
  event("content_block_stop", { index });
const says = (index: number, ...texts: string[]) =>
  block(
    index,
    { type: "text", text: "" },
    texts.map((text) => ({ type: "text_delta", text })),
  );
const thinks = block(0, { type: "thinking", thinking: "", signature: "" }, [
  { type: "thinking_delta", thinking: "A " },
  { type: "thinking_delta", thinking: "plan." },
  { type: "signature_delta", signature: "c2lnbmVk" },
]);
const asks = (index: number, id: string, parts: string[]) =>
  block(
    index,
    { type: "tool_use", id, name: "weather", input: {} },
    parts.map((partial_json) => ({ type: "input_json_delta", partial_json })),
  );
const end = (stop_reason: string) =>
  event("message_delta", {
    delta: { stop_reason, stop_sequence: null },
    usage: { output_tokens: 3 },
  }) + event("message_stop");
const hello = begin + says(0, "Hello");
const failure = (type: string, message: string) => ({
  type: "error",
  error: { type, message },
});

export const anthropic: Dialect = {
  kind: "anthropic",
  wire: "anthropic",
  model: "claude-sonnet-4-5",
  replies: {
    text: begin + says(0, "Hello", " there.") + end("end_turn"),
    thinking: begin + thinks + says(1, "Hello there.") + end("end_turn"),
    calls:
      begin +
      thinks +
      asks(1, "toolu_1", ["", ROME.slice(0, 5), ROME.slice(5)]) +
      asks(2, "toolu_2", [BONN]) +
      end("tool_use"),
    length: hello + end("model_context_window_exceeded"),
    filtered: hello + end("refusal"),
    cut: hello,
  },
  sentBack: ['"signature":"c2lnbmVk"', '"thinking":"A plan."'],
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
        json(failure("invalid_request_error", "prompt is too long: 9 tokens > 8 maximum")),
        "provider_input_too_long",
      ],
      [
        400,
        json(failure("invalid_request_error", "Your credit balance is too low")),
        "provider_no_credit",
      ],
      [529, json(failure("overloaded_error", "Overloaded")), "provider_failed"],
      [
        401,
        json(failure("authentication_error", "invalid x-api-key")),
        "provider_refused_key",
      ],
    ],
    inside: [
      [
        hello + event("error", failure("overloaded_error", "Overloaded")),
        "provider_failed",
      ],
      [
        hello + event("error", failure("rate_limit_error", "slow down")),
        "provider_rate_limited",
      ],
    ],
  },
  models: [
    {
      data: [{ type: "model", id: "claude-sonnet-4-5", display_name: "Claude Sonnet 4.5" }],
      has_more: false,
    },
    ["claude-sonnet-4-5"],
  ],
};

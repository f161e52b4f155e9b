import { bedrockFrame } from "../fake-provider/bedrock.ts";
import { BONN, type Dialect, json, ROME } from "./dialect.ts";

/**
 * Amazon Bedrock: binary messages with a name and a checksum; blocks that begin only for a tool;
 * signed thoughts that go back; usage after the end; exceptions as messages of a kind of their own.
 * Sources: Bedrock API reference, ConverseStream, StopReason and common errors; Smithy, event
 * streams.
 */
const begin = bedrockFrame("messageStart", { role: "assistant" });
const part = (contentBlockIndex: number, delta: object) =>
  bedrockFrame("contentBlockDelta", { contentBlockIndex, delta });
const stop = (contentBlockIndex: number) =>
  bedrockFrame("contentBlockStop", { contentBlockIndex });
const says = (at: number, ...texts: string[]) =>
  texts.map((text) => part(at, { text })).join("") + stop(at);
const asks = (contentBlockIndex: number, toolUseId: string, inputs: string[]) =>
  bedrockFrame("contentBlockStart", {
    contentBlockIndex,
    start: { toolUse: { toolUseId, name: "weather" } },
  }) + inputs.map((input) => part(contentBlockIndex, { toolUse: { input } })).join("");
const thinks =
  part(0, { reasoningContent: { text: "A " } }) +
  part(0, { reasoningContent: { text: "plan." } }) +
  part(0, { reasoningContent: { signature: "c2lnbmVk" } }) +
  stop(0);
const end = (stopReason: string) =>
  bedrockFrame("messageStop", { stopReason }) +
  bedrockFrame("metadata", {
    usage: {
      inputTokens: 1,
      outputTokens: 3,
      totalTokens: 10,
      cacheReadInputTokens: 4,
      cacheWriteInputTokens: 2,
    },
    metrics: { latencyMs: 412 },
    trace: {},
  });
const hello = begin + says(0, "Hello");
const exception = (name: string, message: string) =>
  bedrockFrame(name, { message }, "exception");

export const bedrock: Dialect = {
  kind: "bedrock",
  wire: "bedrock",
  model: "anthropic.claude-sonnet-4-20250514-v1:0",
  replies: {
    text: begin + says(0, "Hello", " there.") + end("end_turn"),
    thinking: begin + thinks + says(1, "Hello there.") + end("end_turn"),
    calls:
      begin +
      thinks +
      asks(1, "tooluse_1", ["", ROME.slice(0, 5), ROME.slice(5)]) +
      stop(1) +
      asks(2, "tooluse_2", [BONN]) +
      stop(2) +
      end("tool_use"),
    cutCall:
      begin +
      asks(0, "tooluse_1", [ROME]) +
      stop(0) +
      asks(1, "tooluse_2", ['{"city":"Bo']) +
      stop(1) +
      end("max_tokens"),
    length: hello + end("max_tokens"),
    filtered: hello + end("guardrail_intervened"),
    cut: hello,
  },
  sentBack: ["tooluse_1", "c2lnbmVk"],
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
        json({ message: "Input is too long for requested model." }),
        "provider_input_too_long",
      ],
      [
        429,
        json({ message: "Too many requests, please wait before trying again." }),
        "provider_rate_limited",
      ],
      [
        403,
        json({ message: "The security token included in the request is invalid." }),
        "provider_refused_key",
      ],
      [
        404,
        json({ message: "This model version has reached the end of its life." }),
        "provider_model_unknown",
      ],
    ],
    inside: [
      [
        hello + exception("throttlingException", "Too many tokens, please wait"),
        "provider_rate_limited",
      ],
      [
        hello + exception("modelStreamErrorException", "The model failed"),
        "provider_failed",
      ],
      [hello + end("malformed_tool_use"), "provider_failed"],
    ],
  },
};

import { bedrock } from "./bedrock.ts";
import type { Wire } from "./script.ts";
import { data, halves, json, type WireWriter } from "./wire-writer.ts";

/**
 * Source: OpenAI API reference, chat completions, streaming; usage in a last chunk without choices.
 */
function openai(): WireWriter {
  const chunk = (delta: object, finish: string | null = null) =>
    data({
      id: "chatcmpl-1",
      object: "chat.completion.chunk",
      created: 1_700_000_000,
      model: "fake",
      choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
      usage: null,
    });
  let calls = 0;
  return {
    open: () => chunk({ role: "assistant", content: "" }),
    step(step) {
      if ("text" in step) return chunk({ content: step.text });
      if ("reasoning" in step) return chunk({ reasoning_content: step.reasoning });
      if (!("calls" in step)) return "";
      const first = calls;
      calls += step.calls.length;
      const part = (index: number, text: string) =>
        chunk({ tool_calls: [{ index: first + index, function: { arguments: text } }] });
      return [
        ...step.calls.map(({ id, name }, index) =>
          chunk({
            tool_calls: [
              {
                index: first + index,
                id,
                type: "function",
                function: { name, arguments: "" },
              },
            ],
          }),
        ),
        ...step.calls.map((call, index) => part(index, halves(json(call.arguments))[0])),
        ...step.calls.map((call, index) => part(index, halves(json(call.arguments))[1])),
      ].join("");
    },
    close({ finish = "stop", usage }) {
      const end = chunk({}, finish);
      const last = usage && {
        id: "chatcmpl-1",
        object: "chat.completion.chunk",
        created: 1_700_000_000,
        model: "fake",
        choices: [],
        usage: {
          prompt_tokens: usage.inputTokens,
          completion_tokens: usage.outputTokens,
          total_tokens: usage.inputTokens + usage.outputTokens,
          prompt_tokens_details: {
            cached_tokens: usage.cachedInputTokens ?? 0,
            cache_write_tokens: usage.cacheWriteInputTokens ?? 0,
          },
        },
      };
      return `${end}${last ? data(last) : ""}data: [DONE]\n\n`;
    },
  };
}

/** Source: Mistral API reference, chat completions: whole tool calls, usage beside the finish. */
function mistral(): WireWriter {
  const chunk = (delta: object, finish: string | null = null, more: object = {}) =>
    data({
      id: "m1",
      object: "chat.completion.chunk",
      created: 1_700_000_000,
      model: "fake",
      choices: [{ index: 0, delta, finish_reason: finish }],
      ...more,
    });
  return {
    open: () => chunk({ role: "assistant", content: "" }),
    step(step) {
      if ("text" in step) return chunk({ content: step.text });
      if ("reasoning" in step)
        return chunk({
          content: [
            { type: "thinking", thinking: [{ type: "text", text: step.reasoning }] },
          ],
        });
      if (!("calls" in step)) return "";
      return chunk({
        content: "",
        tool_calls: step.calls.map((call, index) => ({
          id: call.id,
          index,
          function: { name: call.name, arguments: json(call.arguments) },
        })),
      });
    },
    close({ finish = "stop", usage = { inputTokens: 0, outputTokens: 0 } }) {
      const counts = {
        prompt_tokens: usage.inputTokens,
        completion_tokens: usage.outputTokens,
        total_tokens: usage.inputTokens + usage.outputTokens,
      };
      return `${chunk({ content: "" }, finish, { usage: counts })}data: [DONE]\n\n`;
    },
  };
}

/** Source: Anthropic API reference, streaming messages. */
function anthropic(): WireWriter {
  const event = (type: string, rest: object = {}) =>
    `event: ${type}\n${data({ type, ...rest })}`;
  const STOP = {
    stop: "end_turn",
    length: "max_tokens",
    tool_calls: "tool_use",
    content_filter: "refusal",
  };
  let index = -1;
  const block = (start: object, deltas: object[]) => {
    index += 1;
    return [
      event("content_block_start", { index, content_block: start }),
      ...deltas.map((delta) => event("content_block_delta", { index, delta })),
      event("content_block_stop", { index }),
    ].join("");
  };
  return {
    open: () =>
      event("message_start", {
        message: {
          id: "msg_1",
          type: "message",
          role: "assistant",
          model: "fake",
          content: [],
          stop_reason: null,
          stop_sequence: null,
          usage: { input_tokens: 1, output_tokens: 1 },
        },
      }) + event("ping"),
    step(step) {
      if ("text" in step)
        return block({ type: "text", text: "" }, [{ type: "text_delta", text: step.text }]);
      if ("reasoning" in step) {
        const deltas = [
          { type: "thinking_delta", thinking: step.reasoning },
          { type: "signature_delta", signature: "c2lnbmVk" },
        ];
        return block({ type: "thinking", thinking: "", signature: "" }, deltas);
      }
      if (!("calls" in step)) return "";
      return step.calls
        .map(({ id, name, arguments: input }) =>
          block(
            { type: "tool_use", id, name, input: {} },
            halves(json(input)).map((part) => ({
              type: "input_json_delta",
              partial_json: part,
            })),
          ),
        )
        .join("");
    },
    close({ finish = "stop", usage = { inputTokens: 0, outputTokens: 0 } }) {
      const delta = { stop_reason: STOP[finish], stop_sequence: null };
      const counts = {
        input_tokens: usage.inputTokens,
        output_tokens: usage.outputTokens,
        cache_read_input_tokens: usage.cachedInputTokens ?? 0,
        cache_creation_input_tokens: usage.cacheWriteInputTokens ?? 0,
      };
      return event("message_delta", { delta, usage: counts }) + event("message_stop");
    },
  };
}

/** Source: Gemini API reference, streamGenerateContent with `alt=sse`: lines end in CRLF. */
function google(): WireWriter {
  const STOP = {
    stop: "STOP",
    length: "MAX_TOKENS",
    tool_calls: "STOP",
    content_filter: "SAFETY",
  };
  const chunk = (parts: object[], more: object = {}, finishReason?: string) =>
    `data: ${json({ candidates: [{ content: { parts, role: "model" }, index: 0, ...(finishReason && { finishReason }) }], ...more, modelVersion: "fake" })}\r\n\r\n`;
  return {
    open: () => "",
    step(step) {
      if ("text" in step) return chunk([{ text: step.text }]);
      if ("reasoning" in step) return chunk([{ text: step.reasoning, thought: true }]);
      return "calls" in step
        ? chunk(
            step.calls.map(({ name, arguments: args }) => ({
              functionCall: { name, args },
            })),
          )
        : "";
    },
    close({ finish = "stop", usage = { inputTokens: 0, outputTokens: 0 } }) {
      const counts = {
        promptTokenCount: usage.inputTokens,
        candidatesTokenCount: usage.outputTokens,
        totalTokenCount: usage.inputTokens + usage.outputTokens,
      };
      return chunk([{ text: "" }], { usageMetadata: counts }, STOP[finish]);
    },
  };
}

/** A writer for one reply. */
export const wireWriters: Record<Wire, () => WireWriter> = {
  openai,
  mistral,
  anthropic,
  google,
  bedrock,
};

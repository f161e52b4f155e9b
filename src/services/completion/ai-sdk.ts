import {
  APICallError,
  type LanguageModelV3,
  type LanguageModelV3CallOptions,
  type LanguageModelV3Message,
  type LanguageModelV3StreamPart,
  UnsupportedFunctionalityError,
} from "@ai-sdk/provider";
import { Deadline } from "../../platform/http/deadline.ts";
import { ApiError } from "../../platform/http/errors.ts";
import { boundedEvents, boundedFrames } from "./bounded-fetch.ts";
import { providerKinds } from "./contract-catalogue.ts";
import type { CompletionEvent, CompletionFinish, CompletionRequest, Message } from "./contract.ts";
import { withImages } from "./images.ts";
import { argumentsOf } from "./openai/read-stream.ts";
import {
  cutFailure,
  MAX_REPLY_CHARACTERS,
  invalidFailure,
  type Provider,
  type ProviderAsk,
  ProviderFailure,
  statusFailure,
  timeoutFailure,
  tooLongFailure,
  unreachableFailure,
} from "./provider.ts";

/**
 * Providers whose protocols the AI SDK's provider packages speak; only their `doStream` is used.
 * Loaded when first asked.
 */
function aiSdkProvider(modelOf: (ask: ProviderAsk) => Promise<LanguageModelV3>): Provider {
  return async function* (ask) {
    const idle = new Deadline(ask.signal, ask.timeoutMs);
    let finished = false;
    let given = 0;
    try {
      const model = await modelOf(ask);
      const { stream } = await model.doStream({
        ...callOptions(ask.request),
        abortSignal: idle.signal,
      });
      for await (const part of stream) {
        idle.pause();
        if (part.type === "tool-input-delta") given += part.delta.length;
        if (given > MAX_REPLY_CHARACTERS) throw tooLongFailure();
        const events = eventsOf(part);
        finished ||= part.type === "finish";
        // a reader who takes his time is not the provider's silence
        if (events.length > 0) yield events;
        idle.restart();
      }
    } catch (error) {
      ask.signal.throwIfAborted();
      throw idle.late ? timeoutFailure(ask.timeoutMs) : failureOf(error);
    } finally {
      idle.stop();
    }
    if (!finished) throw cutFailure();
  };
}

export const anthropic = aiSdkProvider(async ({ config, model, outgoing }) => {
  const { createAnthropic } = await import("@ai-sdk/anthropic");
  const { apiKey, baseUrl } = providerKinds.anthropic.config.parse(config);
  return createAnthropic({
    apiKey,
    ...(baseUrl && { baseURL: baseUrl }),
    fetch: boundedEvents(outgoing.fetch),
  })(model);
});

export const google = withImages(
  aiSdkProvider(async ({ config, model, outgoing }) => {
    const { createGoogleGenerativeAI } = await import("@ai-sdk/google");
    const { apiKey, baseUrl } = providerKinds.google.config.parse(config);
    return createGoogleGenerativeAI({
      apiKey,
      ...(baseUrl && { baseURL: baseUrl }),
      fetch: boundedEvents(outgoing.fetch),
    })(model);
  }),
);

export const mistral = aiSdkProvider(async ({ config, model, outgoing }) => {
  const { createMistral } = await import("@ai-sdk/mistral");
  const { apiKey, baseUrl } = providerKinds.mistral.config.parse(config);
  return createMistral({
    apiKey,
    ...(baseUrl && { baseURL: baseUrl }),
    fetch: boundedEvents(outgoing.fetch),
  })(model);
});

export const bedrock = withImages(
  aiSdkProvider(async ({ config, model, outgoing }) => {
    const { createAmazonBedrock } = await import("@ai-sdk/amazon-bedrock");
    const { region, accessKeyId, secretAccessKey, sessionToken, baseUrl } =
      providerKinds.bedrock.config.parse(config);
    return createAmazonBedrock({
      region,
      accessKeyId,
      secretAccessKey,
      ...(sessionToken && { sessionToken }),
      ...(baseUrl && { baseURL: baseUrl }),
      fetch: boundedFrames(outgoing.fetch),
    })(model);
  }),
);

function callOptions(request: CompletionRequest): LanguageModelV3CallOptions {
  const tools = request.toolChoice === "none" ? [] : (request.tools ?? []);
  return {
    prompt: promptOf(request.messages),
    ...(request.maxTokens !== undefined && { maxOutputTokens: request.maxTokens }),
    ...(request.temperature !== undefined && { temperature: request.temperature }),
    ...(request.topP !== undefined && { topP: request.topP }),
    ...(request.stop !== undefined && { stopSequences: request.stop }),
    ...(tools.length > 0 && {
      tools: tools.map(({ name, description, inputSchema }) => ({
        type: "function" as const,
        name,
        description,
        inputSchema,
      })),
    }),
    ...(tools.length > 0 && {
      toolChoice: {
        type: request.toolChoice === "required" ? ("required" as const) : ("auto" as const),
      },
    }),
    ...(request.responseFormat && {
      responseFormat: {
        type: "json" as const,
        ...(request.responseFormat.schema && { schema: request.responseFormat.schema }),
      },
    }),
  };
}

function promptOf(messages: readonly Message[]): LanguageModelV3Message[] {
  const toolNames = new Map(
    messages.flatMap(({ toolCalls = [] }) => toolCalls.map(({ id, name }) => [id, name] as const)),
  );
  return messages.map(
    ({ role, content, toolCallId = "", toolCalls = [] }): LanguageModelV3Message => {
      const text =
        typeof content === "string"
          ? content
          : content.map((part) => (part.type === "text" ? part.text : "")).join("");
      if (role === "system") return { role, content: text };
      if (role === "tool") {
        return {
          role,
          content: [
            {
              type: "tool-result",
              toolCallId,
              toolName: toolNames.get(toolCallId) ?? "tool",
              output: { type: "text", value: text },
            },
          ],
        };
      }
      if (role === "assistant") {
        const calls = toolCalls.map(({ id, name, arguments: input }) => ({
          type: "tool-call" as const,
          toolCallId: id,
          toolName: name,
          input,
        }));
        return { role, content: [...(text ? [{ type: "text" as const, text }] : []), ...calls] };
      }
      if (typeof content === "string") return { role, content: [{ type: "text", text }] };
      return {
        role,
        content: content.map((part) =>
          part.type === "text"
            ? part
            : {
                type: "file" as const,
                mediaType: part.mediaType,
                data: part.url ? new URL(part.url) : (part.data ?? ""),
              },
        ),
      };
    },
  );
}

function eventsOf(part: LanguageModelV3StreamPart): CompletionEvent[] {
  switch (part.type) {
    case "text-delta":
      return part.delta ? [{ type: "text_delta", delta: part.delta }] : [];
    case "reasoning-delta":
      return part.delta ? [{ type: "reasoning_delta", delta: part.delta }] : [];
    case "tool-call":
      return [
        {
          type: "tool_call",
          id: part.toolCallId,
          name: part.toolName,
          arguments: argumentsOf(part.input),
        },
      ];
    case "error":
      throw failureOf(part.error);
    case "finish": {
      const { inputTokens, outputTokens } = part.usage;
      const usage = {
        inputTokens: inputTokens.total ?? 0,
        outputTokens: outputTokens.total ?? 0,
        ...(inputTokens.cacheRead ? { cachedInputTokens: inputTokens.cacheRead } : {}),
      };
      return [{ type: "done", finishReason: FINISH[part.finishReason.unified] ?? "stop", usage }];
    }
    default:
      return [];
  }
}

const FINISH: Record<string, CompletionFinish> = {
  stop: "stop",
  length: "length",
  "tool-calls": "tool_calls",
  "content-filter": "content_filter",
};

function failureOf(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  // what the request asks for cannot be said in the provider's protocol
  if (UnsupportedFunctionalityError.isInstance(error)) return statusFailure(400, undefined);
  if (APICallError.isInstance(error)) {
    if (error.statusCode !== undefined && error.statusCode >= 300)
      return statusFailure(error.statusCode, error.responseHeaders?.["retry-after"]);
    if (error.statusCode !== 200) return unreachableFailure(error);
    return isBroken(error.cause) ? cutFailure(error) : invalidFailure(error);
  }
  const name = error instanceof Error ? error.name : "";
  // a RangeError: it is nested deeper than the stack
  if (/parse|validation|invalid|range/i.test(name)) return invalidFailure(error);
  if (isBroken(error)) return cutFailure(error);
  // an error that the provider put into its stream: its words stay with us
  return new ProviderFailure(
    502,
    "provider_failed",
    "The model's provider failed. Try again, or choose another model.",
    {
      retryable: true,
      cause: error,
    },
  );
}

/** What undici's `fetch` throws when the body's connection ends early. */
function isBroken(error: unknown): boolean {
  return error instanceof TypeError && /terminated|aborted/i.test(error.message);
}

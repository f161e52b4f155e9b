import { BadRequest } from "../../platform/http/errors.ts";
import { parseJson } from "../../platform/json/json-limits.ts";
import { compileSchema, type SchemaCheck } from "../../platform/json-schema/compile-schema.ts";
import type { CompletionEvent, CompletionRequest } from "./contract.ts";
import { ProviderFailure } from "./provider.ts";

/** A model that is only told to write JSON must be told in words: some providers refuse the request otherwise, some ignore the setting. */
export function withInstruction(request: CompletionRequest): CompletionRequest {
  if (!request.responseFormat || request.responseFormat.schema) return request;
  const instruction = {
    role: "system" as const,
    content: "Answer with one JSON value and nothing else: no words around it, no code fence.",
  };
  return { ...request, messages: [instruction, ...request.messages] };
}

/** Looks at a reply as it passes. */
export interface FormatCheck {
  /** @returns why the reply that `done` among these events ends is not what was asked for. */
  see(events: readonly CompletionEvent[]): ProviderFailure | undefined;
}

/**
 * For requests with `responseFormat`: what the model finally said is parsed and checked against the schema, whatever its provider promised.
 * A reply that ended in tool calls, at the limit of tokens or in a refusal says so by its `finishReason`, and is not checked.
 * @throws BadRequest `response_schema_invalid` where the schema cannot be read.
 */
export function formatCheck({ responseFormat }: CompletionRequest): FormatCheck | undefined {
  if (!responseFormat) return undefined;
  const check = responseFormat.schema ? compiled(responseFormat.schema) : () => [];
  let text = "";
  return {
    see(events) {
      for (const event of events) {
        if (event.type === "text_delta") text += event.delta;
        if (event.type === "done" && event.finishReason === "stop" && !fits(text, check))
          return notInFormat();
      }
      return undefined;
    },
  };
}

function compiled(schema: Record<string, unknown>): SchemaCheck {
  try {
    return compileSchema(schema);
  } catch (error) {
    const reason = error instanceof Error ? error.message.slice(0, 300) : "it is not JSON Schema";
    throw new BadRequest(
      "response_schema_invalid",
      `responseFormat.schema cannot be used: ${reason}.`,
    );
  }
}

function fits(text: string, check: SchemaCheck): boolean {
  let value: unknown;
  try {
    value = parseJson(text);
  } catch {
    return false;
  }
  try {
    return check(value).length === 0;
  } catch {
    // a schema that takes too long over this reply finds nothing wrong
    return true;
  }
}

function notInFormat(): ProviderFailure {
  return new ProviderFailure(
    502,
    "reply_not_in_format",
    "The model's reply is not the JSON that was asked for. Try again, simplify the schema, or choose another model.",
    { retryable: true },
  );
}

import { ApiError, BadRequest } from "../../platform/http/errors.ts";
import { parseJson } from "../../platform/json/json-limits.ts";
import { openSchema, type SchemaCheck } from "../../platform/json-schema/open-schema.ts";
import type { RunOptions, Workers } from "../../platform/workers/workers.ts";
import type { CompletionEvent, CompletionRequest } from "./contract.ts";
import { ProviderFailure } from "./provider.ts";

/**
 * A model that is only told to write JSON must be told in words: some providers refuse the request
 * otherwise, some ignore the setting.
 */
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
  see(events: readonly CompletionEvent[]): Promise<ProviderFailure | undefined>;
}

/**
 * For requests with `responseFormat`: what the model finally said is parsed and checked against the
 * schema, whatever its provider promised. A reply that ended in tool calls, at the limit of tokens
 * or in a refusal says so by its `finishReason`, and is not checked.
 * @throws BadRequest `response_schema_invalid` where the schema cannot be read, ApiError of
 * `Workers`.
 */
export async function formatCheck(
  workers: Pick<Workers, "run">,
  { responseFormat, context }: CompletionRequest,
  signal: AbortSignal,
): Promise<FormatCheck | undefined> {
  if (!responseFormat) return undefined;
  const options = { userId: context?.userId, signal };
  const check = responseFormat.schema
    ? await opened(workers, responseFormat.schema, options)
    : async () => [];
  let text = "";
  return {
    async see(events) {
      for (const event of events) {
        if (event.type === "text_delta") text += event.delta;
        if (event.type === "done" && event.finishReason === "stop") {
          if (!(await fits(text, (value) => check(value, options)))) return notInFormat();
        }
      }
      return undefined;
    },
  };
}

async function opened(
  workers: Pick<Workers, "run">,
  schema: Record<string, unknown>,
  options: RunOptions,
): Promise<SchemaCheck> {
  try {
    return await openSchema(workers, schema, options);
  } catch (error) {
    if (error instanceof ApiError && error.code !== "too_complex") throw error;
    const reason = error instanceof Error ? error.message.slice(0, 300) : "it is not JSON Schema";
    throw new BadRequest(
      "response_schema_invalid",
      `responseFormat.schema cannot be used: ${reason}.`,
    );
  }
}

async function fits(text: string, check: SchemaCheck): Promise<boolean> {
  let value: unknown;
  try {
    value = parseJson(text);
  } catch {
    return false;
  }
  try {
    return (await check(value)).length === 0;
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

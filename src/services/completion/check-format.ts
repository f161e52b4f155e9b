import { ApiError, BadRequest } from "../../platform/http/errors.ts";
import { parseJson } from "../../platform/json/json-limits.ts";
import { openSchema, type SchemaCheck } from "../../platform/json-schema/open-schema.ts";
import type { RunOptions, Workers } from "../../platform/workers/workers.ts";
import type { CompletionEvent, CompletionRequest } from "./contract.ts";
import { ProviderFailure } from "./provider-failures.ts";

const MAX_REASON_CHARACTERS = 300;

/**
 * Adds an instruction to write JSON to a request for JSON without a schema: some providers refuse
 * the request without one, and some ignore the setting.
 */
export function withJsonInstruction(request: CompletionRequest): CompletionRequest {
  if (!request.responseFormat || request.responseFormat.schema) return request;
  const instruction = {
    role: "system" as const,
    content:
      "Answer with one JSON value and nothing else: no words around it, no code fence.",
  };
  return { ...request, messages: [instruction, ...request.messages] };
}

/** Takes the events of a reply in order. */
export interface FormatCheck {
  /** @returns a failure when `done` is among the events and the reply has another format. */
  next(events: readonly CompletionEvent[]): Promise<ProviderFailure | undefined>;
}

/**
 * The check of a request's `responseFormat`. The finished reply is parsed and checked against the
 * schema, whatever the provider guarantees. A reply that ended in tool calls, at the limit of
 * tokens or in a refusal is not checked, because its `finishReason` says why it is not JSON.
 * @throws BadRequest `response_schema_invalid` for a schema that cannot be read, ApiError of
 * `Workers`.
 */
export async function createFormatCheck(
  workers: Pick<Workers, "run">,
  { responseFormat, context }: CompletionRequest,
  signal: AbortSignal,
): Promise<FormatCheck | undefined> {
  if (!responseFormat) return undefined;
  const { schema } = responseFormat;
  const options = { userId: context?.userId, signal };
  const check = schema ? await readSchema(workers, schema, options) : async () => [];
  let text = "";
  return {
    async next(events) {
      for (const event of events) {
        if (event.type === "text_delta") text += event.delta;
        if (event.type !== "done" || event.finishReason !== "stop") continue;
        if (!(await hasFormat(text, (value) => check(value, options))))
          return formatFailure();
      }
      return undefined;
    },
  };
}

async function readSchema(
  workers: Pick<Workers, "run">,
  schema: Record<string, unknown>,
  options: RunOptions,
): Promise<SchemaCheck> {
  try {
    return await openSchema(workers, schema, options);
  } catch (error) {
    if (error instanceof ApiError && error.code !== "too_complex") throw error;
    const message = error instanceof Error ? error.message : "it is not JSON Schema";
    throw new BadRequest(
      "response_schema_invalid",
      "responseFormat.schema cannot be used: " +
        `${message.slice(0, MAX_REASON_CHARACTERS)}. Correct it.`,
    );
  }
}

async function hasFormat(text: string, check: SchemaCheck): Promise<boolean> {
  let value: unknown;
  try {
    value = parseJson(text);
  } catch {
    return false;
  }
  try {
    return (await check(value)).length === 0;
  } catch {
    // the check took too long: the reply is not refused for that
    return true;
  }
}

function formatFailure(): ProviderFailure {
  return new ProviderFailure(
    502,
    "reply_not_in_format",
    "The model's reply is not JSON of the requested format. " +
      "Try again, simplify the schema, or choose another model.",
    { retryable: true },
  );
}

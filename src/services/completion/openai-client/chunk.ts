import { isRecord } from "../../../platform/json/is-record.ts";
import { parseJson } from "../../../platform/json/json-limits.ts";
import { invalidFailure } from "../provider-failures.ts";

/**
 * The fields of a chat completion chunk that we read. All are optional and may have any type,
 * because the servers that speak this protocol differ.
 */
export interface Chunk {
  object?: unknown;
  choices?: (Choice | null)[] | null;
  usage?: unknown;
  /** Gemini, behind some gateways */
  usageMetadata?: unknown;
  /** Groq */
  x_groq?: { usage?: unknown; error?: unknown } | null;
  error?: unknown;
  /** Errors of FastAPI, and of gateways that wrap nothing around theirs. */
  detail?: unknown;
  message?: unknown;
}

export interface Choice {
  delta?: Delta | null;
  /** Of servers that know only the older completions. */
  text?: unknown;
  /** A whole answer; of servers that do not stream, or in their last chunk. */
  message?: Delta | null;
  finish_reason?: unknown;
  /** Kimi */
  usage?: unknown;
  error?: unknown;
}

export interface Delta {
  /** Text or its parts: Mistral's models send these when they reason, behind any server. */
  content?: unknown;
  /** Sent in place of content when the model refuses to fill a schema. */
  refusal?: unknown;
  reasoning_content?: unknown;
  reasoning?: unknown;
  /** GitHub Copilot */
  reasoning_text?: unknown;
  /** Ollama */
  thinking?: unknown;
  /** OpenRouter */
  reasoning_details?: unknown;
  /** LiteLLM, for Claude */
  thinking_blocks?: unknown;
  /** Gemini */
  extra_content?: unknown;
  tool_calls?: (ToolCallDelta | null)[] | null;
  /** The name of one call before there could be several. */
  function_call?: ToolCallDelta["function"];
}

export interface ToolCallDelta {
  index?: unknown;
  id?: unknown;
  function?: { name?: unknown; arguments?: unknown } | null;
  /** Gemini */
  extra_content?: unknown;
}

/**
 * Gemini sends errors as a list of one.
 * @throws ProviderFailure `provider_invalid` for text that is not a JSON object.
 */
export function parseChunk(data: string): Chunk {
  let value: unknown;
  try {
    value = parseJson(data);
  } catch (error) {
    throw invalidFailure(error);
  }
  const chunk: unknown = Array.isArray(value) ? value[0] : value;
  if (!isRecord(chunk)) throw invalidFailure();
  return unwrapped(chunk); // every field of a chunk is optional
}

/** Where gateways put an answer that they wrap. */
const WRAPPERS = ["data", "result", "response"];

function unwrapped(chunk: Record<string, unknown>): Record<string, unknown> {
  if (chunk["choices"] !== undefined) return chunk;
  const inner = WRAPPERS.map((name) => chunk[name]).find(
    (value) => isRecord(value) && Array.isArray(value["choices"]),
  );
  return isRecord(inner) ? inner : chunk;
}

/** Whether Gemini marks a text as a thought, in its own field of a delta. */
export function isThought({ extra_content: extra }: Delta): boolean {
  const google = isRecord(extra) ? extra["google"] : undefined;
  return isRecord(google) && google["thought"] === true;
}

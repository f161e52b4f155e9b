import { parseJson } from "../../../platform/json/json-limits.ts";
import { invalidFailure } from "../provider-failures.ts";

/**
 * The fields of a chat completion chunk that we read. All are optional, because the servers that
 * speak this protocol differ.
 */
export interface Chunk {
  choices?: {
    delta?: {
      /** Mistral's models send parts when they reason, behind any server. */
      content?: string | ContentPart[] | null;
      /** Sent in place of content when the model refuses to fill a schema. */
      refusal?: string | null;
      reasoning_content?: string | null;
      reasoning?: string | null;
      tool_calls?: ToolCallDelta[];
    };
    finish_reason?: string | null;
  }[];
  usage?: {
    prompt_tokens?: number;
    completion_tokens?: number;
    prompt_tokens_details?: { cached_tokens?: number };
  } | null;
  error?: { code?: string | number; status?: number };
}

export type ContentPart =
  | { type: "text"; text?: string }
  | { type: "thinking"; thinking?: { text?: string }[] };

export interface ToolCallDelta {
  index?: number;
  id?: string;
  function?: { name?: string; arguments?: string };
}

/** @throws ProviderFailure `provider_invalid` for text that is not a JSON object. */
export function parseChunk(data: string): Chunk {
  let value: unknown;
  try {
    value = parseJson(data);
  } catch (error) {
    throw invalidFailure(error);
  }
  if (typeof value !== "object" || value === null) throw invalidFailure();
  return value; // every field of a chunk is optional
}

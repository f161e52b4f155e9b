import { parseJson } from "../../../platform/json/json-limits.ts";
import { isRecord } from "../../../platform/json/is-record.ts";
import type { ToolCall } from "../../completion/contract.ts";

type State = NonNullable<ToolCall["state"]>;

/** The depth of arguments, and some. What is deeper was not written here. */
const MAX_DEPTH = 80;
/** Marks what we wrote, among what clients have from other servers. */
const PREFIX = "parlance:";

/**
 * What a provider wants back with its call, as the opaque text that clients of other protocols
 * return: `encrypted_content` of reasoning at OpenAI, `redacted_thinking` at Anthropic.
 */
export function encodeState(callId: string, state: State): string {
  return PREFIX + Buffer.from(JSON.stringify([callId, state])).toString("base64url");
}

/** The states by the ids of their calls. What was not written by `encodeState` is left out. */
export function decodeStates(texts: readonly string[]): Map<string, State> {
  const states = new Map<string, State>();
  for (const text of texts) {
    if (!text.startsWith(PREFIX)) continue;
    const value = parse(Buffer.from(text.slice(PREFIX.length), "base64url").toString());
    if (Array.isArray(value) && typeof value[0] === "string" && isRecord(value[1]))
      states.set(value[0], value[1]);
  }
  return states;
}

function parse(text: string): unknown {
  try {
    return parseJson(text, { maxDepth: MAX_DEPTH });
  } catch {
    return undefined;
  }
}

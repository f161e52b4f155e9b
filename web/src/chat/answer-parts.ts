import type { ToolCall } from "./reply-state.ts";

/** A part of an answer: what the model called, and what it wrote then. */
export interface AnswerPart {
  /** Where it begins in the whole text. */
  at: number;
  tools: ToolCall[];
  text: string;
}

/**
 * The text of an answer between its tool calls. Calls of an answer that was stored without their
 * places stand before it.
 */
export function partsOf(text: string, tools: readonly ToolCall[]): AnswerPart[] {
  const parts: AnswerPart[] = [{ at: 0, tools: [], text: "" }];
  const placed = tools.map((tool) => ({ tool, at: placeIn(text, tool.at ?? 0) }));
  for (const { tool, at } of placed.toSorted((one, other) => one.at - other.at)) {
    const last = parts.at(-1);
    if (last?.at === at) last.tools.push(tool);
    else parts.push({ at, tools: [tool], text: "" });
  }
  for (const [index, part] of parts.entries())
    part.text = text.slice(part.at, parts[index + 1]?.at);
  return parts.filter((part) => part.tools.length > 0 || part.text.trim() !== "");
}

/** The place, or the end of the paragraph that it would cut. */
function placeIn(text: string, at: number): number {
  const isApart = at <= 0 || /\s/.test(text.charAt(at - 1)) || /\s/.test(text.charAt(at));
  if (at <= 0 || at >= text.length || isApart)
    return Math.max(0, Math.min(at, text.length));
  const end = text.indexOf("\n\n", at);
  return end < 0 ? text.length : end;
}

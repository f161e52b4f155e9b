import type { Agent } from "../agents/contract.ts";
import type { PassageQuery } from "./find-passages.ts";

/** From which documents a reply is made, and how. */
export interface RetrievalPlan extends Omit<PassageQuery, "query" | "userId"> {
  /**
   * `step`: passages are looked for before the model is asked; `tool`: the model asks for them;
   * `both`.
   */
  mode: "step" | "tool" | "both";
}

/**
 * Whether an agent is there to answer from documents: `cortex`, or another that says how it looks
 * for passages.
 */
export function needsDocuments({ type, retrieval }: Agent): boolean {
  return type === "cortex" || retrieval !== null;
}

/**
 * Such an agent answers from its own documents, or where it has none from all that the asker may
 * see; any other agent from its files; and a conversation from what was `attached` to it.
 * @returns undefined where the reply needs no documents.
 */
export function planRetrieval(
  agent: Agent | undefined,
  attached: readonly string[],
): RetrievalPlan | undefined {
  const { docIds = [], topK = 20, grade = 0.2, mode = "step", rerank } = agent?.retrieval ?? {};
  const how = { topK, grade, mode, attached: [...attached], ...(rerank && { rerank }) };
  const given = [...(agent?.files ?? []), ...docIds];
  if (agent && needsDocuments(agent) && given.length === 0) return { ...how, docIds: null };
  const all = [...new Set([...given, ...attached])];
  return all.length > 0 ? { ...how, docIds: all } : undefined;
}

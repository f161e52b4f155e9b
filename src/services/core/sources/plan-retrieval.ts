import type { Agent } from "../agents/contract.ts";
import type { PassageQuery } from "./find-passages.ts";

/** Which documents a reply is made from, and how. */
export interface RetrievalPlan extends Omit<PassageQuery, "query" | "userId"> {
  /**
   * `step`: passages are searched before the model is asked; `tool`: the model searches; or
   * `both`.
   */
  mode: "step" | "tool" | "both";
  /** Whether its user may read whole documents, and so may its model. */
  mayRead?: true;
}

/** Whether an agent answers from documents: `cortex`, or another one with `retrieval`. */
export function needsDocuments({
  type,
  retrieval,
}: Pick<Agent, "type" | "retrieval">): boolean {
  return type === "cortex" || retrieval !== null;
}

/** The tool by which a model searches documents, and those by which it reads them. */
export const SEARCH_DOCUMENTS = "search_documents";
export const READING_TOOLS = [
  "list_documents",
  "find_in_documents",
  "read_document",
] as const;

/**
 * An agent that needs documents answers from its own, or without any from all that the user may
 * see. Every other agent answers from its files, and a conversation from the documents `attached`
 * to it. Where `tools` name the search or the reading, the model has all that the user may see.
 * @returns undefined when the reply needs no documents.
 */
export function planRetrieval(
  agent: Agent | undefined,
  attached: readonly string[],
  tools: readonly string[],
): RetrievalPlan | undefined {
  const {
    docIds = [],
    topK = 20,
    grade = 0.2,
    mode = "step",
    rerank,
  } = agent?.retrieval ?? {};
  const how = { topK, grade, mode, attached: [...attached], ...(rerank && { rerank }) };
  const given = [...(agent?.files ?? []), ...docIds];
  if (agent && needsDocuments(agent) && given.length === 0) return { ...how, docIds: null };
  const ofDocuments: readonly string[] = [SEARCH_DOCUMENTS, ...READING_TOOLS];
  if (given.length === 0 && tools.some((name) => ofDocuments.includes(name)))
    return { ...how, docIds: null, mode: attached.length > 0 ? "both" : "tool" };
  const all = [...new Set([...given, ...attached])];
  return all.length > 0 ? { ...how, docIds: all } : undefined;
}

/** The documents that tools of a reply may read. */
export function scopeOf({
  userId,
  retrieval: { docIds, attached },
}: {
  userId: string;
  retrieval: Pick<RetrievalPlan, "docIds" | "attached">;
}) {
  return { userId, docIds, attached };
}

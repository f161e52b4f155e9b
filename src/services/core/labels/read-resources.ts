import type { ToolEvent } from "../../agent-loop/contract-events.ts";
import type { Resource } from "../../users/contract-sharing.ts";
import type { Source } from "../sources/contract.ts";

export const ofDocument = (resourceId: string): Resource => ({
  resourceType: "document",
  resourceId,
});
export const ofConversation = (resourceId: string): Resource => ({
  resourceType: "conversation",
  resourceId,
});

/** The documents that passages are from. Pages of the web are none of anybody's. */
export function documentsOf(sources: readonly Source[]): Resource[] {
  return sources
    .filter(({ url }) => url === undefined)
    .flatMap(({ documentId, table }) => [documentId, ...(table?.documentIds ?? [])])
    .filter((id) => id !== "")
    .map(ofDocument);
}

/** The documents of what a tool shows the reader. */
export function documentsIn(events: readonly ToolEvent[]): Resource[] {
  return events.flatMap((event) =>
    event.type === "sources" ? documentsOf(event.sources) : [],
  );
}

import { queryOptions } from "@tanstack/react-query";
import { agentsContract } from "../../../src/services/core/agents/contract.ts";
import { availableModelsContract } from "../../../src/services/core/catalogue/contract.ts";
import { documentsContract } from "../../../src/services/documents/contract.ts";
import { repliesContract } from "../../../src/services/core/replies/contract.ts";
import type { RouteOk } from "../../../src/platform/http/route.ts";
import { call } from "../api/call.ts";
import { Failure } from "../api/failure.ts";
import { stream } from "../api/stream.ts";
import { upload } from "../api/upload.ts";

const LIST = { limit: 100 };
const POLL_MS = 1_000;

export type StoredDocument = RouteOk<typeof documentsContract.get>;

export const selectionsQuery = queryOptions({
  queryKey: ["models", "selections"],
  queryFn: ({ signal }) =>
    call(availableModelsContract.completionSelections, { query: LIST }, { signal }),
});

/** A document while it is read: asked again until it is ready or has failed. */
export function documentQuery(id: string) {
  return queryOptions({
    queryKey: ["document", id],
    queryFn: ({ signal }) => call(documentsContract.get, { params: { id } }, { signal }),
    refetchInterval: ({ state }) => (state.data && isRead(state.data) ? false : POLL_MS),
  });
}

export function isRead({ status }: StoredDocument): boolean {
  return status === "PROCESSED" || status === "FAILED";
}

export function uploadFile(file: File, onProgress: (part: number) => void) {
  return upload(documentsContract.upload, file, { onProgress });
}

/**
 * Asks the built-in agent that answers from documents.
 * @returns the conversation; its page reads the answer.
 */
export async function askDocuments(content: string, key: string): Promise<string> {
  const { items } = await call(agentsContract.organizationAgents, { query: LIST });
  const agent = items.find(
    ({ type, retrieval }) => type === "system" && retrieval !== null,
  );
  const body = { content, agentId: agent?.id };
  const headers = { "idempotency-key": key };
  for await (const batch of stream(repliesContract.send, { body }, { headers })) {
    const opening = batch.find(({ event }) => event.type === "conversation")?.event;
    if (opening?.type === "conversation") return opening.conversationId;
  }
  throw new Failure("connection_cut", "The answer ended before it began.");
}

import { queryOptions } from "@tanstack/react-query";
import { agentsContract } from "../../../src/services/core/agents/contract.ts";
import {
  availableModelsContract,
  modelsContract,
  providersContract,
} from "../../../src/services/core/catalogue/contract.ts";
import { documentsContract } from "../../../src/services/documents/contract.ts";
import { repliesContract } from "../../../src/services/core/replies/contract.ts";
import type { RouteInput, RouteOk } from "../../../src/platform/http/route.ts";
import { call } from "../api/call.ts";
import { Failure } from "../api/failure.ts";
import { stream } from "../api/stream.ts";
import { upload } from "../api/upload.ts";

const LIST = { limit: 100 };
const POLL_MS = 1_000;

export type Probe = RouteInput<typeof providersContract.testNewProvider>["body"];
export type ProviderTest = RouteOk<typeof providersContract.testNewProvider>;
export type OfferedModel = ProviderTest["models"][number];
export type StoredDocument = RouteOk<typeof documentsContract.get>;

export const selectionsQuery = queryOptions({
  queryKey: ["models", "selections"],
  queryFn: ({ signal }) =>
    call(availableModelsContract.completionSelections, { query: LIST }, { signal }),
});

export const providerKindsQuery = queryOptions({
  queryKey: ["provider-kinds"],
  queryFn: ({ signal }) => call(providersContract.listProviderKinds, {}, { signal }),
  staleTime: Infinity,
});

/** A document while it is read: asked again until it is ready or has failed. */
export function documentQuery(id: string | undefined) {
  return queryOptions({
    queryKey: ["document", id],
    queryFn: ({ signal }) => call(documentsContract.get, { params: { id: id ?? "" } }, { signal }),
    enabled: id !== undefined,
    refetchInterval: ({ state }) => (isRead(state.data) ? false : POLL_MS),
  });
}

export function isRead(document: StoredDocument | undefined): boolean {
  return document?.status === "PROCESSED" || document?.status === "FAILED";
}

export function testProvider(body: Probe): Promise<ProviderTest> {
  return call(providersContract.testNewProvider, { body });
}

/** Saves a provider, and the models of it that are to be used. */
export async function connectProvider(
  { kind, config }: Pick<Probe, "kind" | "config">,
  models: readonly OfferedModel[],
): Promise<void> {
  const { items } = await call(providersContract.listAllProviders, { query: LIST });
  const name = freeName(kind, new Set(items.map((provider) => provider.name)));
  await call(providersContract.createProvider, { body: { name, kind, config } });
  for (const { providerModelId, displayName } of models) {
    const { id: modelId } = await call(modelsContract.createModel, {
      body: { name: displayName, kind: "completion", capabilities: { tools: true } },
    });
    await call(availableModelsContract.createAvailableModel, {
      body: { modelId, providerName: name, providerModelId, displayName },
    });
  }
}

/** `openai`, or `openai-2` where that is taken. */
export function freeName(kind: string, taken: ReadonlySet<string>): string {
  let name = kind;
  for (let number = 2; taken.has(name); number += 1) name = `${kind}-${number}`;
  return name;
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
  const agent = items.find(({ type, retrieval }) => type === "system" && retrieval !== null);
  const body = { content, agentId: agent?.id };
  const headers = { "idempotency-key": key };
  for await (const batch of stream(repliesContract.send, { body }, { headers })) {
    const opening = batch.find(({ event }) => event.type === "conversation")?.event;
    if (opening?.type === "conversation") return opening.conversationId;
  }
  throw new Failure("interrupted", "The answer ended before it began.");
}

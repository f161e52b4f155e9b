import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { documentsContract } from "../../../../src/services/documents/contract.ts";
import { call } from "../../api/call.ts";
import { listAgents } from "../../shell/agent-queries.ts";
import type { Mention } from "./read-mention.ts";

const MAX_AGENTS = 8;
const MAX_FOLDERS = 3;
/** Some of them may be empty. */
const MAX_ASKED_FOLDERS = 5;
const MAX_DOCUMENTS = 6;
const MINUTE_MS = 60_000;

/** Something to choose from the list. */
export type Found = { id: string; name: string; hint: string } & (
  | { kind: "agent"; icon: string | null }
  | { kind: "folder" }
  | { kind: "document"; size: number; type: string }
);

/** Agents after `@`, folders and documents after `#`, whose names contain the words. */
export function mentionedQuery({ sign, words }: Pick<Mention, "sign" | "words">) {
  return queryOptions({
    queryKey: ["mentioned", sign, words],
    queryFn: ({ signal }) =>
      sign === "@" ? findAgents(words, signal) : findDocuments(words, signal),
    placeholderData: (before: Found[] | undefined, query) =>
      query?.queryKey[1] === sign ? keepPreviousData(before) : undefined,
    staleTime: MINUTE_MS,
  });
}

async function findAgents(words: string, signal: AbortSignal): Promise<Found[]> {
  const query = words === "" ? {} : { query: words };
  const { items } = await listAgents({ limit: MAX_AGENTS, scope: "all", ...query }, signal);
  return items.map(({ id, name, description, icon }) => ({
    kind: "agent",
    id,
    name,
    hint: description,
    icon,
  }));
}

async function findDocuments(words: string, signal: AbortSignal): Promise<Found[]> {
  const query = words === "" ? {} : { query: words };
  const [folders, documents] = await Promise.all([
    call(
      documentsContract.listFolders,
      { query: { limit: MAX_ASKED_FOLDERS, ...query } },
      { signal },
    ),
    call(documentsContract.list, { query: { limit: MAX_DOCUMENTS, ...query } }, { signal }),
  ]);
  const filled = await Promise.all(
    folders.items.map(async ({ id }) => (await documentsInFolder(id, 1, signal)).total > 0),
  );
  // one without documents attaches nothing
  const offered = folders.items.filter((_, at) => filled[at]).slice(0, MAX_FOLDERS);
  return [
    ...offered.map(({ id, name }) => ({
      kind: "folder" as const,
      id,
      name,
      hint: "",
    })),
    ...documents.items.map(({ id, fileName, size, mimeType }) => ({
      kind: "document" as const,
      id,
      name: fileName,
      hint: "",
      size,
      type: mimeType,
    })),
  ];
}

/** The documents of a folder, the last changed first. */
export async function documentsInFolder(
  folderId: string,
  limit: number,
  signal?: AbortSignal,
) {
  const query = { folderId, limit };
  const { items, total } = await call(documentsContract.list, { query }, { signal });
  return { items, total };
}

import { z } from "zod";
import { call, type Fetch } from "../../../../platform/http/call.ts";
import { NotFound } from "../../../../platform/http/errors.ts";
import { isUuid } from "../../../../platform/uuid.ts";
import type { ToolDescriptor } from "../../../completion/contract.ts";
import { documentsContract } from "../../../documents/contract.ts";
import { retrievalContract } from "../../../retrieval/contract.ts";
import {
  attributesWithoutFolders,
  type StoreResult,
} from "../../../retrieval/openai-api/contract-search.ts";
import type { FileSearchTool } from "./contract-items.ts";

/** The hosted tool `file_search`, over vector stores or all documents of a user. */
export interface FileSearch {
  /**
   * @throws NotFound `folder_not_found` for a store that the user may not see, BadRequest
   * `attributes_without_folders`.
   */
  check(userId: string, tool: FileSearchTool, signal: AbortSignal): Promise<void>;
  search(
    userId: string,
    tool: FileSearchTool,
    queries: string[],
    signal: AbortSignal,
  ): Promise<StoreResult[]>;
}

const TIMEOUT_MS = 60_000;
const MAX_QUERIES = 4;
const MAX_QUERY_CHARACTERS = 2_000;

export function createFileSearch(documents: Fetch, retrieval: Fetch): FileSearch {
  return {
    async check(userId, tool, signal) {
      const ids = foldersOf(tool);
      if (!ids && tool.filters) throw attributesWithoutFolders();
      if (!ids) return;
      const found = ids.every(isUuid)
        ? await call(
            documents,
            documentsContract.resolveFolders,
            { body: { userId, ids } },
            { signal, timeoutMs: TIMEOUT_MS },
          )
        : [];
      if (found.length < ids.length) throw storeNotFound();
    },
    async search(userId, tool, queries, signal) {
      const { max_num_results, filters, ranking_options } = tool;
      const folderIds = foldersOf(tool);
      const asked = { query: queries, max_num_results, filters, ranking_options };
      const body = { ...asked, userId, ...(folderIds && { folderIds }) };
      const { data } = await call(
        retrieval,
        retrievalContract.searchFiles,
        { body },
        { signal, timeoutMs: TIMEOUT_MS },
      );
      return data;
    },
  };
}

/** Undefined: all documents that the user may see. */
function foldersOf({ vector_store_ids: ids }: FileSearchTool): string[] | undefined {
  if (!ids || ids.length === 0) return undefined;
  return [...new Set(ids.map((id) => id.replace(/^vs_/, "")))];
}

function storeNotFound(): NotFound {
  return new NotFound(
    "folder_not_found",
    "One of the vector stores does not exist, or you may not see it. GET /v1/vector_stores lists " +
      "yours; name one of them.",
  );
}

const Arguments = z.object({
  queries: z
    .array(z.string().trim().min(1).max(MAX_QUERY_CHARACTERS))
    .min(1)
    .max(MAX_QUERIES),
});

/** @returns undefined for arguments that do not fit. */
export function readQueries(values: unknown): string[] | undefined {
  return Arguments.safeParse(values).data?.queries;
}

export function describeSearch(name: string): ToolDescriptor {
  return {
    name,
    description:
      "Finds passages of the user's files. Behind each statement that rests on a passage, write the " +
      "passage's number as it is marked, such as 【1】.",
    inputSchema: {
      type: "object",
      properties: {
        queries: {
          type: "array",
          items: { type: "string", maxLength: MAX_QUERY_CHARACTERS },
          minItems: 1,
          maxItems: MAX_QUERIES,
          description: "What to look for, in words as the files might use them",
        },
      },
      required: ["queries"],
    },
  };
}

import { BadRequest } from "../../../platform/http/errors.ts";
import { z } from "zod";
import { route } from "../../../platform/http/route.ts";
import { AttributeFilter, Attributes } from "../../documents/contract-attributes.ts";
import { ofOpenAi } from "../../documents/openai-api/contract-files.ts";
import { MAX_FOLDERS } from "../contract-retrieve.ts";
import { StoreIdInPath } from "../../documents/openai-api/contract-ids.ts";

/** OpenAI's API to search a vector store (OpenAI API reference, vector stores). */

/** The most questions of one request: each is searched by itself. */
const MAX_QUESTIONS = 8;
const MAX_RESULTS = 50;
export const DEFAULT_RESULTS = 10;
const Question = z.string().trim().min(1).max(8_000);

export const RankingOptions = z.object({
  ranker: z
    .string()
    .max(100)
    .nullish()
    .describe("`none`, or any other: with the reranker, where one is set up"),
  score_threshold: z.number().min(0).max(1).nullish(),
  hybrid_search: z
    .null("both ways of searching are fused as this server does it")
    .optional(),
});
export type RankingOptions = z.output<typeof RankingOptions>;
export const MaxResults = z.number().int().min(1).max(MAX_RESULTS).nullish();

export const StoreResult = z.object({
  file_id: z.string(),
  filename: z.string(),
  score: z.number(),
  attributes: Attributes,
  content: z.array(z.object({ type: z.literal("text"), text: z.string() })),
});
export type StoreResult = z.output<typeof StoreResult>;

export const SearchRequest = z.object({
  query: z.union([Question, z.array(Question).min(1).max(MAX_QUESTIONS)]),
  max_num_results: MaxResults.describe(`Default ${DEFAULT_RESULTS}`),
  filters: AttributeFilter.nullish(),
  ranking_options: RankingOptions.nullish(),
  rewrite_query: z.literal(false, "questions are searched for as they are").nullish(),
});
export type SearchRequest = z.output<typeof SearchRequest>;

export const StoreResults = z.object({
  object: z.literal("vector_store.search_results.page"),
  search_query: z.array(z.string()),
  data: z.array(StoreResult),
  has_more: z.literal(false),
  next_page: z.null(),
});
export type StoreResults = z.output<typeof StoreResults>;

/** A document has its attributes in a folder: elsewhere a filter would exclude nothing. */
export function attributesWithoutFolders(): BadRequest {
  return new BadRequest(
    "attributes_without_folders",
    "Attributes are those of files in a folder or vector store. Name the folders as well " +
      "(folderIds, vector_store_ids), or leave the filter out.",
  );
}

export const openAiSearchContract = {
  searchFiles: route({
    method: "post",
    path: "/api/v1/rag/search-files",
    access: "service-secret",
    changes: "none",
    summary:
      "Search vector stores, or all documents that a user may see; for other services",
    body: SearchRequest.extend({
      userId: z.string().min(1).max(200),
      folderIds: z.array(z.uuid()).min(1).max(MAX_FOLDERS).optional(),
    }),
    ok: StoreResults,
  }),
  searchStore: route({
    ...ofOpenAi,
    method: "post",
    path: "/v1/vector_stores/:vector_store_id/search",
    changes: "none",
    permission: "document:search",
    summary: "Search a vector store as OpenAI's clients do it",
    description: "The best passages of all questions, each once.",
    params: z.object({ vector_store_id: StoreIdInPath }),
    body: SearchRequest,
    ok: StoreResults,
  }),
};

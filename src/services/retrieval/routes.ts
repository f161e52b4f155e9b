import { type Caller, userOf } from "../../platform/http/caller.ts";
import type { Fetch } from "../../platform/http/call.ts";
import { Routes } from "../../platform/http/routes.ts";
import { eventStream } from "../../platform/http/stream.ts";
import { readChunks } from "./chunk-store.ts";
import { retrievalContract as contract } from "./contract.ts";
import { searchFiles } from "./openai-api/search-store.ts";
import { evaluate } from "./evaluation/evaluate.ts";
import { explain } from "./explain.ts";
import { measureScope } from "./extent.ts";
import { retrieve, type RetrieveDeps } from "./retrieve.ts";
import { scopeOf } from "./scope.ts";
import { searchVectors } from "./vector-search.ts";
import { activeModel, checkComparable } from "./vector-model.ts";

interface Deps extends RetrieveDeps {
  documents: Fetch;
  users: Fetch;
}

export function retrievalRoutes(deps: Deps): Routes {
  const { db } = deps;
  return new Routes()
    .on(contract.retrieve, async ({ caller, body, query: { window }, signal }) => {
      const userId = findUserId(caller, body.userId);
      const scope = scopeOf(deps, userId, body, signal);
      scope.catch(() => {}); // awaited there
      return retrieve(deps, { ...body, userId, window }, scope, signal);
    })
    .on(contract.searchStore, ({ caller, params: { vector_store_id: id }, body, signal }) =>
      searchFiles(
        deps,
        { userId: userOf(caller).userId, folderIds: [id], asked: body },
        signal,
      ),
    )
    .on(contract.searchFiles, ({ body: { userId, folderIds, ...asked }, signal }) =>
      searchFiles(deps, { userId, folderIds, asked }, signal),
    )
    .on(contract.explain, ({ caller, body, signal }) => {
      const { userId } = userOf(caller);
      const all = scopeOf(deps, userId, {}, signal);
      all.catch(() => {}); // awaited there, unless the document is not searched
      const document = scopeOf(deps, userId, { docIds: [body.documentId] }, signal);
      return explain(deps, { ...body, userId }, { all, document }, signal);
    })
    .on(contract.evaluate, ({ caller, body, signal }) => {
      const userId = findUserId(caller, undefined);
      const find = (docIds?: readonly string[]) =>
        scopeOf(deps, userId, { docIds }, signal);
      return eventStream(evaluate(deps, { ...body, userId }, find, signal));
    })
    .on(contract.similaritySearch, async ({ caller, body, signal }) => {
      const { queryEmbedding, topK, model: name } = body;
      const scope = await scopeOf(
        deps,
        findUserId(caller, body.userId),
        { docIds: body.docIds },
        signal,
      );
      const model = await activeModel(db);
      if (!model) return { results: [], totalResults: 0 };
      checkComparable(model, queryEmbedding, name);
      const extent = await measureScope(db, scope, (await deps.statistics.corpus()).chunks);
      const found = await searchVectors(deps, model, queryEmbedding, extent, topK);
      const chunks = await readChunks(db, found);
      const results = chunks.map(({ content, score, metadata }) => {
        const { chunkId, documentId } = metadata;
        return { chunkId, documentId, content, score, metadata };
      });
      return { results, totalResults: results.length };
    });
}

/** Returns the user to search for: the signed-in user, or the one that a peer service names. */
function findUserId(caller: Caller, userId: string | undefined): string | undefined {
  return caller.kind === "user" ? caller.userId : userId;
}

import type { Caller } from "../../platform/http/caller.ts";
import type { Fetch } from "../../platform/http/call.ts";
import { Routes } from "../../platform/http/routes.ts";
import { readChunks } from "./chunk-store.ts";
import { retrievalContract as contract } from "./contract.ts";
import { retrieve, type RetrieveDeps } from "./retrieve.ts";
import { scopeOf } from "./scope.ts";
import { activeModel, checkComparable, searchVectors } from "./vector-search.ts";

interface Deps extends RetrieveDeps {
  documents: Fetch;
  users: Fetch;
}

export function retrievalRoutes(deps: Deps): Routes {
  const { db } = deps;
  return new Routes()
    .on(contract.retrieve, async ({ caller, body, query: { window }, signal }) => {
      const scope = await scopeOf(deps, whoAsks(caller, body.userId), body.docIds, signal);
      return retrieve(deps, { ...body, window }, scope, signal);
    })
    .on(contract.similaritySearch, async ({ caller, body, signal }) => {
      const { queryEmbedding, topK, model: name } = body;
      const scope = await scopeOf(deps, whoAsks(caller, body.userId), body.docIds, signal);
      const model = await activeModel(db);
      if (!model) return { results: [], totalResults: 0 };
      checkComparable(model, queryEmbedding, name);
      const chunks = await readChunks(db, await searchVectors(db, model, queryEmbedding, scope, topK));
      const results = chunks.map(({ content, score, metadata }) => {
        const { chunkId, documentId } = metadata;
        return { chunkId, documentId, content, score, metadata };
import { Routes } from "../../platform/http/routes.ts";
import { retrievalContract as contract } from "./contract.ts";
import { findModel, nearestChunks } from "./nearest-chunks.ts";
import { readChunks } from "./read-chunks.ts";
import { modelChanged, type RetrievalDeps, retrieveChunks } from "./retrieve-chunks.ts";
import { isEmpty, scopeFor } from "./scope.ts";

export function retrievalRoutes(deps: RetrievalDeps): Routes {
  return new Routes()
    .on(contract.retrieve, ({ caller, body, query: { window }, signal }) =>
      retrieveChunks(deps, caller, { ...body, window }, signal),
    )
    .on(contract.similaritySearch, async ({ caller, body }) => {
      const { queryEmbedding, topK, model: name } = body;
      const model = await findModel(deps.db, name, queryEmbedding.length);
      if (!model || model.state === "building" || model.dimensions !== queryEmbedding.length)
        throw modelChanged(name ?? "of the given vector", queryEmbedding.length);
      const scope = await scopeFor(deps, caller, body);
      const found = isEmpty(scope) ? [] : await nearestChunks(deps.db, model, queryEmbedding, scope, topK);
      const chunks = await readChunks(
        deps.db,
        found.map(({ chunkId }) => chunkId),
      );
      const results = found.flatMap(({ chunkId, score }) => {
        const chunk = chunks.get(chunkId);
        return chunk
          ? [{ chunkId, documentId: chunk.metadata.documentId, content: chunk.content, score, metadata: chunk.metadata }]
          : [];
      });
      return { results, totalResults: results.length };
    });
}

/** A signed-in user asks for himself; a sibling for whom it says. */
function whoAsks(caller: Caller, userId: string | undefined): string | undefined {
  return caller.kind === "user" ? caller.userId : userId;
}

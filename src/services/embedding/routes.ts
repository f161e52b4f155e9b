import { call } from "../../platform/http/call.ts";
import { type Caller, userOf } from "../../platform/http/caller.ts";
import { NotFound } from "../../platform/http/errors.ts";
import type { RouteOk } from "../../platform/http/route.ts";
import { Routes } from "../../platform/http/routes.ts";
import { inGroups } from "../../platform/in-groups.ts";
import { documentsContract } from "../documents/contract.ts";
import { payerOf } from "./admit-embedding.ts";
import { cutInWorker } from "./chunking/cut-in-worker.ts";
import { CHUNKING } from "./chunking/methods.ts";
import { embeddingContract as contract } from "./contract.ts";
import { cutOptionsOf } from "./cut-options.ts";
import { embedTexts } from "./embed-texts.ts";
import { modelInUse } from "./index/embed-chunks.ts";
import { findStatus } from "./index/find-status.ts";
import { processText, type JobDeps } from "./index/take-job.ts";
import { translateText } from "./languages/translate.ts";
import type { InputType } from "./models/embedding-model.ts";
import { answerEmbeddings } from "./openai-api/answer-embeddings.ts";
import { type ModelDeps, modelRoutes } from "./routes-model.ts";

const TRANSLATIONS_AT_ONCE = 4;
/** The maximum number of chunks in one answer, which is built and validated in one piece. */
const MAX_ANSWERED_CHUNKS = 50_000;

export function embeddingRoutes(deps: JobDeps & ModelDeps): Routes {
  return modelRoutes(new Routes(), deps)
    .on(contract.chunk, async ({ body: { text, ...how }, signal }) => {
      const options = cutOptionsOf(how);
      const limited = { ...options, maxChunks: MAX_ANSWERED_CHUNKS };
      const chunks = await cutInWorker(deps.workers, text, limited, { signal });
      return { chunks, method: options.method, totalChunks: chunks.length };
    })
    .on(contract.chunkMethods, () => CHUNKING)
    .on(contract.embedSingle, async ({ caller, body, signal }) => {
      const { text, inputType, userId } = body;
      const payer = payerOf(caller, userId);
      const { embeddings, ...of } = await embed(deps, [text], inputType, signal, payer);
      return { embedding: embeddings[0] ?? [], ...of };
    })
    .on(contract.embed, ({ caller, body: { texts, inputType }, signal }) =>
      embed(deps, texts, inputType, signal, payerOf(caller)),
    )
    .on(contract.openAiEmbeddings, ({ caller, body, signal }) =>
      answerEmbeddings(deps, body, signal, payerOf(caller)),
    )
    .on(contract.embedStatus, async ({ caller, params: { document_id: documentId } }) => {
      await checkDocument(deps, caller, documentId);
      const status = await findStatus(deps, documentId);
      if (!status) throw documentNotFound();
      return status;
    })
    .on(
      contract.process,
      async ({
        caller,
        body: { documentId, text, translate = false, fileName: _, ...how },
        signal,
      }) => {
        await checkDocument(deps, caller, documentId, { ownOnly: true });
        const ownerId = payerOf(caller);
        const options = cutOptionsOf(how);
        const request = { documentId, ownerId, text, options, translate, signal };
        const { chunks, embedded, translated } = await processText(
          deps,
          deps.documents(),
          request,
        );
        return { documentId, status: "completed" as const, chunks, embedded, translated };
      },
    )
    .on(contract.translationHealth, async () => {
      // whatever it fails with, no model translates now, which the answer says
      const model = await deps.translator.model().catch(() => null);
      if (model !== null) return { status: "ok" as const, model };
      return {
        status: "degraded" as const,
        model,
        detail:
          "No language model is available to translate: texts are indexed untranslated.",
      };
    })
    .on(contract.translate, ({ caller, body: { text, sourceLanguage }, signal }) => {
      const how = { sourceLanguage, spender: userOf(caller) };
      return translateText(deps.translator, text, how, signal);
    })
    .on(contract.translateBatch, async ({ caller, body, signal }) => {
      const { texts, sourceLanguage } = body;
      const how = { sourceLanguage, spender: userOf(caller) };
      const translate = (one: string) => translateText(deps.translator, one, how, signal);
      const results: RouteOk<typeof contract.translate>[] = [];
      for (const some of inGroups(texts, TRANSLATIONS_AT_ONCE))
        results.push(...(await Promise.all(some.map(translate))));
      return { results };
    });
}

/**
 * Checks that a user may use a document. Peer services have checked it themselves.
 * @throws NotFound.
 */
async function checkDocument(
  deps: JobDeps,
  caller: Caller,
  id: string,
  { ownOnly = false } = {},
): Promise<void> {
  if (caller.kind !== "user") return;
  const { userId } = caller;
  const [found] = await call(
    deps.documents(),
    documentsContract.resolve,
    { body: { userId, ids: [id] } },
    { timeoutMs: 5_000 },
  );
  if (!found || (ownOnly && found.ownerId !== userId)) throw documentNotFound();
}

async function embed(
  deps: JobDeps,
  texts: readonly string[],
  inputType: InputType,
  signal: AbortSignal,
  payer: string | undefined,
) {
  const { model } = await modelInUse(deps);
  await deps.admit(model, payer, signal);
  const embeddings = await embedTexts(model, texts, inputType, signal, payer);
  return { embeddings, model: model.name, dimensions: model.dimensions };
}

function documentNotFound(): NotFound {
  return new NotFound(
    "document_not_found",
    "There is no such document that you may see. GET /api/v1/documents lists yours.",
  );
}

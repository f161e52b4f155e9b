import { alike, from, operators, ownerAlone, type Rows, services } from "../row.ts";
import { document, folder, type World } from "../world.ts";

const access = ["internal", "jwt", "key"] as const;

/** A shared document whose index contains the mark, and a word that finds it. */
async function indexed(
  world: World,
  folderId?: string,
): Promise<{ id: string; mark: string; query: string }> {
  const { id } = await document(world, folderId);
  const [mark, query] = [world.word(), world.word()];
  // the index of the upload must not replace this one
  await world.as("owner", "POST", `/api/v1/documents/${id}/stop`).catch(() => {});
  const text = `${query} is where the text begins that has ${mark} in it.`;
  await world.as("owner", "POST", "/api/v1/process", { documentId: id, text });
  return { id, mark, query };
}

const asked = { grade: 0, engineName: "hybrid" };
const seen = from("viewer", { good: "with it", hidden: "without it" });
const harmless = { "body.userId": "of a service alone it is taken" };

export const retrieval: Rows = {
  retrieve: {
    access,
    harmless,
    cases: {
      "what one may see": {
        ask: async (world) => {
          const { mark, query } = await indexed(world);
          return { body: { ...asked, query }, mark };
        },
        answers: seen,
      },
      docIds: {
        ask: async (world) => {
          const { id, mark, query } = await indexed(world);
          return { body: { ...asked, query, docIds: [id] }, mark };
        },
        answers: seen,
      },
      alsoDocIds: {
        ask: async (world) => {
          const { id, mark, query } = await indexed(world);
          return { body: { ...asked, query, alsoDocIds: [id] }, mark };
        },
        answers: seen,
      },
      folderIds: {
        ask: async (world) => {
          const { id } = await folder(world);
          const { mark, query } = await indexed(world, id);
          return { body: { ...asked, query, folderIds: [id] }, mark };
        },
        answers: from("viewer", { good: "with it" }),
      },
      "by vector alone": {
        ask: async (world) => {
          const { id, mark, query } = await indexed(world);
          return { body: { ...asked, engineName: "naive", query, docIds: [id] }, mark };
        },
        answers: seen,
      },
    },
  },
  searchStore: {
    access: ["key", "jwt"],
    cases: {
      it: {
        ask: async (world) => {
          const { id } = await folder(world);
          const { mark, query } = await indexed(world, id);
          return { params: { vector_store_id: `vs_${id}` }, body: { query }, mark };
        },
        answers: from("viewer", { good: "with it" }),
      },
    },
  },
  searchFiles: {
    access: "service-secret",
    cases: {
      it: {
        ask: async (world) => {
          const { mark, query } = await indexed(world);
          return { body: { userId: world.people.owner.id, query }, mark };
        },
        answers: services,
        service: "with it",
      },
      "what a stranger may not see": {
        ask: async (world) => {
          const { mark, query } = await indexed(world);
          return { body: { userId: world.people.stranger.id, query }, mark };
        },
        answers: services,
        service: "without it",
      },
    },
  },
  explain: {
    access: "jwt",
    cases: {
      it: {
        ask: async (world) => {
          const { id, mark, query } = await indexed(world);
          return { body: { grade: 0, query, documentId: id }, mark };
        },
        answers: seen,
      },
    },
  },
  evaluate: {
    access: ["jwt", "key"],
    // an expected document is not searched for: it is compared with what is found
    harmless: { "body.questions.expected.documentId": "it is compared with what is found" },
    cases: {
      "what one may see": {
        ask: async (world) => {
          const { id, query } = await indexed(world);
          const questions = [{ query, expected: [{ documentId: id }] }];
          const variants = [{ name: "it", engineName: "hybrid", docIds: [id] }];
          // the figures of those who find it
          return { body: { questions, variants }, mark: '"recallAt10":1' };
        },
        answers: seen,
      },
    },
  },
  similaritySearch: {
    access,
    harmless,
    cases: {
      docIds: {
        ask: async (world) => {
          const { id, mark, query } = await indexed(world);
          const { embedding } = await world.as<{ embedding: number[] }>(
            "owner",
            "POST",
            "/api/v1/embed/single",
            { text: query },
          );
          return { body: { queryEmbedding: embedding, docIds: [id] }, mark };
        },
        answers: seen,
      },
    },
  },
};

const TEXT = "This is an English text, which needs no translation at all.";
const open = (body?: object) => ({
  access,
  cases: { it: { ask: () => ({ ...(body && { body }) }), answers: alike() } },
});

const ofCatalogue = { "body.availableModelId": "the catalogue is everybody's" };
const BUILT_IN = { source: "built-in" };
const forOperators = (body?: object) => ({
  access: "operator" as const,
  cases: { it: { ask: () => ({ ...(body && { body }) }), answers: operators() } },
});

export const embedding: Rows = {
  chunk: open({ text: TEXT }),
  chunkMethods: open(),
  embedSingle: {
    ...open({ text: TEXT }),
    harmless: { "body.userId": "of a service alone it is taken" },
  },
  embed: open({ texts: [TEXT] }),
  openAiEmbeddings: {
    ...open({ model: "hashed-words-v1", input: TEXT }),
    access: ["key", "jwt"],
  },
  embedModel: open(),
  modelCandidates: forOperators(),
  testModel: { ...forOperators(BUILT_IN), harmless: ofCatalogue },
  // it is in use already
  chooseModel: { ...forOperators(BUILT_IN), harmless: ofCatalogue },
  cancelModelChange: {
    access: "operator",
    cases: { it: { ask: () => ({}), answers: operators("409 embedding_change_absent") } },
  },
  translationHealth: open(),
  embedStatus: {
    access,
    cases: {
      it: {
        ask: async (world) => ({ params: { document_id: (await document(world)).id } }),
        answers: from("viewer"),
      },
    },
  },
  process: {
    access,
    cases: {
      it: {
        ask: async (world) => ({
          body: { documentId: (await document(world)).id, text: TEXT },
        }),
        answers: ownerAlone(),
        // ownership of the document decides, not a share
        defence: "identity",
      },
    },
  },
  translate: {
    access: "jwt",
    cases: { it: { ask: () => ({ body: { text: TEXT } }), answers: alike() } },
  },
  translateBatch: {
    access: "jwt",
    cases: { it: { ask: () => ({ body: { texts: [TEXT] } }), answers: alike() } },
  },
};

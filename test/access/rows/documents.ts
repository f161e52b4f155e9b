import { randomUUID } from "node:crypto";
import { alike, from, ownerAlone, type Rows, services } from "../row.ts";
import { document, folder, table, type World } from "../world.ts";

const one = async (world: World) => {
  const { id, mark } = await document(world);
  return { params: { id }, mark };
};
const onePage = async (world: World) => ({
  params: { ...(await one(world)).params, page: "1" },
});
const inFolder = async (world: World) => {
  const { id: folderId } = await folder(world);
  const { id, mark } = await document(world, folderId);
  return { id, folderId, mark };
};
const access = ["jwt", "key"] as const;

const fileOf = async (world: World) => {
  const { id, mark } = await document(world);
  return { params: { file_id: `file-${id}` }, mark };
};
const storeOf = async (world: World) => {
  const { id, mark } = await folder(world);
  return { params: { vector_store_id: `vs_${id}` }, mark };
};
const fileInStore = async (world: World) => {
  const { id, folderId } = await inFolder(world);
  return { params: { vector_store_id: `vs_${folderId}`, file_id: `file-${id}` } };
};
const batchOf = async (world: World) => {
  const { id, folderId } = await inFolder(world);
  const path = `/v1/vector_stores/vs_${folderId}/file_batches`;
  const batch = await world.as("owner", "POST", path, { file_ids: [id] });
  return { params: { vector_store_id: `vs_${folderId}`, batch_id: batch.id } };
};
const ofOpenAi = ["key", "jwt"] as const;

/** OpenAI's names of documents and folders. */
const openAi: Rows = {
  uploadFile: {
    access: ofOpenAi,
    cases: {
      it: {
        ask: (world) => ({
          form: { purpose: "assistants", file: new File([world.word()], "a.txt") },
        }),
        answers: alike(),
      },
    },
  },
  listFiles: {
    access: ofOpenAi,
    cases: {
      it: {
        ask: async (world) => ({ mark: (await document(world)).mark }),
        answers: ownerAlone("with it", "without it"),
      },
    },
  },
  readFile: {
    access: ofOpenAi,
    cases: { it: { ask: fileOf, answers: from("viewer", { good: "with it" }) } },
  },
  readFileContent: {
    access: ofOpenAi,
    cases: { it: { ask: fileOf, answers: from("viewer", { good: "with it" }) } },
  },
  deleteFile: {
    access: ofOpenAi,
    cases: { it: { ask: fileOf, answers: from("owner"), once: true } },
  },
  createStore: {
    access: ofOpenAi,
    cases: {
      file_ids: {
        ask: async (world) => ({
          body: { file_ids: [`file-${(await document(world)).id}`] },
        }),
        answers: from("viewer"),
      },
    },
  },
  listStores: {
    access: ofOpenAi,
    cases: {
      it: {
        ask: async (world) => ({
          query: { limit: "100" },
          mark: (await folder(world)).mark,
        }),
        answers: ownerAlone("with it", "without it"),
      },
    },
  },
  readStore: {
    access: ofOpenAi,
    cases: { it: { ask: storeOf, answers: from("viewer", { good: "with it" }) } },
  },
  changeStore: {
    access: ofOpenAi,
    cases: {
      it: {
        ask: async (world) => ({
          params: (await storeOf(world)).params,
          body: { name: "renamed" },
        }),
        answers: from("owner"),
      },
    },
  },
  deleteStore: {
    access: ofOpenAi,
    cases: {
      it: {
        ask: async (world) => ({ params: (await storeOf(world)).params }),
        answers: from("owner"),
        once: true,
      },
    },
  },
  attachFile: {
    access: ofOpenAi,
    cases: {
      it: {
        ask: async (world) => ({
          params: (await storeOf(world)).params,
          body: { file_id: `file-${(await document(world)).id}` },
        }),
        answers: from("editor"),
      },
    },
  },
  listStoreFiles: {
    access: ofOpenAi,
    cases: {
      it: {
        ask: async (world) => {
          const { id, folderId } = await inFolder(world);
          return { params: { vector_store_id: `vs_${folderId}` }, mark: id };
        },
        answers: from("viewer", { good: "with it" }),
      },
    },
  },
  readStoreFile: {
    access: ofOpenAi,
    cases: { it: { ask: fileInStore, answers: from("viewer") } },
  },
  changeStoreFile: {
    access: ofOpenAi,
    cases: {
      it: {
        ask: async (world) => ({
          ...(await fileInStore(world)),
          body: { attributes: { year: 2_024 } },
        }),
        answers: from("editor"),
      },
    },
  },
  // the file leaves the folder, which decides who else may see it
  detachFile: {
    access: ofOpenAi,
    cases: { it: { ask: fileInStore, answers: from("owner"), once: true } },
  },
  createBatch: {
    access: ofOpenAi,
    cases: {
      file_ids: {
        ask: async (world) => ({
          params: (await storeOf(world)).params,
          body: { file_ids: [`file-${(await document(world)).id}`] },
        }),
        answers: from("editor"),
      },
      files: {
        ask: async (world) => ({
          params: (await storeOf(world)).params,
          body: { files: [{ file_id: `file-${(await document(world)).id}` }] },
        }),
        answers: from("editor"),
      },
    },
  },
  readBatch: {
    access: ofOpenAi,
    cases: { it: { ask: batchOf, answers: from("viewer") } },
  },
  cancelBatch: {
    access: ofOpenAi,
    cases: { it: { ask: batchOf, answers: from("editor") } },
  },
  listBatchFiles: {
    access: ofOpenAi,
    cases: { it: { ask: batchOf, answers: from("viewer") } },
  },
};

export const documents: Rows = {
  ...openAi,
  personalData: {
    access: "service-secret",
    cases: {
      it: {
        ask: ({ people }) => ({ params: { userId: people.owner.id } }),
        answers: services,
      },
    },
  },
  upload: {
    access,
    cases: {
      folderId: {
        ask: async (world) => ({
          form: {
            folderId: (await folder(world)).id,
            file: new File([world.word()], "a.txt"),
          },
        }),
        answers: from("editor"),
        once: true,
      },
    },
  },
  uploadFor: {
    access: "service-secret",
    cases: {
      it: {
        ask: ({ people }) => ({
          query: { userId: people.owner.id, clientId: "default", fileName: "a.txt" },
          body: "A text.",
        }),
        answers: services,
      },
    },
  },
  list: {
    access,
    cases: {
      "one's own and shared": {
        ask: async (world) => ({ mark: (await document(world)).mark }),
        answers: from("viewer", { good: "with it", hidden: "without it" }),
      },
      folderId: {
        ask: async (world) => {
          const { folderId, mark } = await inFolder(world);
          return { query: { folderId }, mark };
        },
        answers: from("viewer", { good: "with it" }),
      },
    },
  },
  titles: {
    access: "jwt",
    cases: {
      "of a document": {
        ask: async (world) => {
          const { id, mark } = await document(world);
          return { query: { ids: id }, mark };
        },
        answers: from("viewer", { good: "with it", hidden: "without it" }),
      },
      "of a folder": {
        ask: async (world) => {
          const { id, mark } = await folder(world);
          return { query: { ids: id }, mark };
        },
        answers: from("viewer", { good: "with it", hidden: "without it" }),
      },
    },
  },
  takeOver: { access: "service-secret", cases: { it: { ask: one, answers: services } } },
  saveIndex: {
    access: "service-secret",
    cases: {
      it: {
        ask: async (world) => ({
          params: { id: (await document(world)).id },
          body: {
            attempt: randomUUID(),
            chunks: 1,
            embedded: 1,
            translated: 0,
            model: "m",
            dimensions: 2,
          },
        }),
        answers: services,
        service: 409,
      },
    },
  },
  resolve: {
    access: "service-secret",
    cases: {
      it: {
        ask: async (world) => {
          const { id, mark } = await document(world);
          return { body: { userId: world.people.owner.id, ids: [id] }, mark };
        },
        answers: services,
        service: "with it",
      },
      "what a stranger may not see": {
        ask: async (world) => {
          const { id, mark } = await document(world);
          return { body: { userId: world.people.stranger.id, ids: [id] }, mark };
        },
        answers: services,
        service: "without it",
      },
    },
  },
  listUnsent: {
    access: "service-secret",
    cases: {
      all: {
        ask: async (world) => {
          const { mark } = await document(world);
          return { mark };
        },
        answers: services,
        service: "without it",
      },
    },
  },
  deleteAttachments: {
    access: "service-secret",
    cases: {
      "a document that is none": {
        ask: async (world) => {
          const { id } = await document(world);
          return { body: { ids: [id] } };
        },
        answers: services,
        service: 204,
      },
    },
  },
  findTables: {
    access: "service-secret",
    cases: {
      it: {
        ask: async (world) => {
          const { id, mark } = await table(world);
          return { body: { userId: world.people.owner.id, ids: [id] }, mark };
        },
        answers: services,
        service: "with it",
      },
      "what a stranger may not see": {
        ask: async (world) => {
          const { id, mark } = await table(world);
          return { body: { userId: world.people.stranger.id, ids: [id] }, mark };
        },
        answers: services,
        service: "without it",
      },
      "all of a stranger": {
        ask: async (world) => {
          const { mark } = await table(world);
          return { body: { userId: world.people.stranger.id }, mark };
        },
        answers: services,
        service: "without it",
      },
    },
  },
  listTexts: {
    access: "service-secret",
    cases: {
      it: {
        ask: async (world) => {
          const { id, mark } = await document(world);
          return { body: { userId: world.people.owner.id, ids: [id] }, mark };
        },
        answers: services,
        service: "with it",
      },
      "what a stranger may not see": {
        ask: async (world) => {
          const { id, mark } = await document(world);
          return { body: { userId: world.people.stranger.id, ids: [id] }, mark };
        },
        answers: services,
        service: "without it",
      },
      "all of a stranger": {
        ask: async (world) => {
          const { mark } = await document(world);
          return { body: { userId: world.people.stranger.id }, mark };
        },
        answers: services,
        service: "without it",
      },
    },
  },
  readLines: {
    access: "service-secret",
    cases: {
      "what a stranger may not see": {
        ask: async (world) => {
          const { id, mark } = await document(world);
          return { body: { userId: world.people.stranger.id, id }, mark };
        },
        answers: services,
        service: 404,
      },
    },
  },
  findLines: {
    access: "service-secret",
    cases: {
      "what a stranger may not see": {
        ask: async (world) => {
          const { id, mark } = await document(world);
          const body = { userId: world.people.stranger.id, ids: [id], words: ["a"] };
          return { body, mark };
        },
        answers: services,
        service: "without it",
      },
    },
  },
  listFolders: {
    access,
    cases: {
      "one's own": {
        ask: async (world) => ({
          query: { limit: "100" },
          mark: (await folder(world)).mark,
        }),
        answers: ownerAlone("with it", "without it"),
      },
      parentId: {
        ask: async (world) => {
          const [{ id: parentId }, mark] = [await folder(world), world.word()];
          await world.as("owner", "POST", "/api/v1/documents/folders", {
            name: mark,
            parentId,
          });
          return { query: { parentId }, mark };
        },
        answers: from("viewer", { good: "with it" }),
      },
    },
  },
  resolveFolders: {
    access: "service-secret",
    cases: {
      it: {
        ask: async (world) => {
          const { id, mark } = await folder(world);
          return { body: { userId: world.people.owner.id, ids: [id] }, mark };
        },
        answers: services,
        service: "with it",
      },
      "what a stranger may not see": {
        ask: async (world) => {
          const { id, mark } = await folder(world);
          return { body: { userId: world.people.stranger.id, ids: [id] }, mark };
        },
        answers: services,
        service: "without it",
      },
    },
  },
  createFolder: {
    access,
    cases: {
      parentId: {
        ask: async (world) => ({
          body: { name: "inner", parentId: (await folder(world)).id },
        }),
        answers: from("editor"),
      },
    },
  },
  getFolder: {
    access,
    cases: {
      it: {
        ask: async (world) => ({ params: { id: (await folder(world)).id } }),
        answers: from("viewer"),
      },
    },
  },
  changeFolder: {
    access,
    cases: {
      it: {
        ask: async (world) => ({
          params: { id: (await folder(world)).id },
          body: { name: "renamed" },
        }),
        answers: from("owner"),
      },
      parentId: {
        ask: async (world) => ({
          params: { id: (await folder(world)).id },
          body: { parentId: (await folder(world)).id },
        }),
        answers: from("owner"),
      },
    },
  },
  deleteFolder: {
    access,
    cases: {
      it: {
        ask: async (world) => ({ params: { id: (await folder(world)).id } }),
        answers: from("owner"),
        once: true,
      },
    },
  },
  get: {
    access,
    cases: {
      it: { ask: one, answers: from("viewer", { good: "with it" }) },
      "in a shared folder": {
        ask: async (world) => {
          const { id, mark } = await inFolder(world);
          return { params: { id }, mark };
        },
        answers: from("viewer", { good: "with it" }),
      },
    },
  },
  content: {
    access: ["jwt", "key", "service-secret"],
    cases: { it: { ask: one, answers: from("viewer", { good: "with it" }) } },
  },
  originalPage: {
    access,
    cases: { it: { ask: onePage, answers: from("viewer", { good: "let through" }) } },
  },
  pagePicture: {
    access,
    cases: { it: { ask: onePage, answers: from("viewer", { good: "let through" }) } },
  },
  // from here to skip, the answer depends on the state of the document, which changes by itself
  markdown: {
    access: ["jwt", "key", "service-secret"],
    cases: {
      it: {
        ask: one,
        answers: from("viewer", { good: "let through" }),
        service: "let through",
      },
    },
  },
  events: { access, cases: { it: { ask: one, answers: from("viewer") } } },
  reprocess: {
    access,
    cases: {
      it: {
        ask: async (world) => ({ ...(await one(world)), body: {} }),
        answers: from("editor", { good: "let through" }),
      },
    },
  },
  stop: {
    access,
    cases: { it: { ask: one, answers: from("editor", { good: "let through" }) } },
  },
  chunks: { access, cases: { it: { ask: one, answers: from("viewer") } } },
  previewChunks: {
    access,
    cases: {
      it: {
        ask: async (world) => ({ ...(await one(world)), body: {} }),
        answers: from("viewer", { good: "let through" }),
      },
    },
  },
  skip: {
    access,
    cases: { it: { ask: one, answers: from("editor", { good: "let through" }) } },
  },
  retryFailed: {
    access,
    cases: {
      folderId: {
        ask: async (world) => ({ body: { folderId: (await folder(world)).id } }),
        answers: from("editor"),
      },
    },
  },
  summary: {
    access,
    cases: { it: { ask: () => ({}), answers: from("viewer", { hidden: "yes" }) } },
  },
  change: {
    access,
    cases: {
      it: {
        ask: async (world) => ({
          ...(await one(world)),
          body: { fileName: "renamed.txt" },
        }),
        answers: from("editor"),
      },
      // the change decides who else may see it, so it takes the owner
      folderId: {
        ask: async (world) => ({
          ...(await one(world)),
          body: { folderId: (await folder(world)).id },
        }),
        answers: from("owner"),
      },
    },
  },
  remove: { access, cases: { it: { ask: one, answers: from("owner"), once: true } } },
};

import { from, ownerAlone, type Rows } from "../row.ts";
import { canvas as makeCanvas, conversation, type World } from "../world.ts";

const one = async (world: World) => {
  const { id, mark } = await makeCanvas(world);
  return { params: { canvasId: id }, mark };
};
const inTrash = async (world: World) => {
  const { id, mark } = await makeCanvas(world);
  await world.as("owner", "DELETE", `/api/v1/canvas/${id}`);
  return { params: { canvasId: id }, mark };
};
/** A canvas without a conversation: only its owner has access. */
const apart = async (world: World) => {
  const { id, mark } = await makeCanvas(world, false);
  return { params: { canvasId: id }, mark };
};

export const canvas: Rows = {
  createCanvas: {
    access: "jwt",
    cases: {
      conversationId: {
        ask: async (world) => ({
          body: {
            title: "t",
            content: "c",
            conversationId: (await conversation(world)).id,
          },
        }),
        answers: from("editor"),
      },
    },
  },
  listCanvases: {
    access: "jwt",
    cases: {
      "one's own": {
        ask: async (world) => ({ mark: (await makeCanvas(world)).mark }),
        answers: ownerAlone("with it", "without it"),
      },
      "of shared conversations": {
        ask: async (world) => ({
          query: { scope: "shared" },
          mark: (await makeCanvas(world)).mark,
        }),
        answers: {
          ...from("viewer", { good: "with it", hidden: "without it" }),
          owner: "without it",
        },
        defence: "identity",
      },
      conversationId: {
        ask: async (world) => {
          const { conversationId, mark } = await makeCanvas(world);
          return { query: { conversationId: conversationId ?? "" }, mark };
        },
        answers: from("viewer", { good: "with it" }),
      },
    },
  },
  canvasTrash: {
    access: "jwt",
    cases: {
      it: {
        ask: async (world) => ({ mark: (await inTrash(world)).mark }),
        answers: ownerAlone("with it", "without it"),
      },
    },
  },
  getCanvas: {
    access: "jwt",
    cases: {
      "in a shared conversation": {
        ask: one,
        answers: from("viewer", { good: "with it" }),
      },
      "in none": { ask: apart, answers: ownerAlone("with it"), defence: "identity" },
      "in the trash": { ask: inTrash, answers: ownerAlone(404) },
    },
  },
  canvasState: {
    access: "jwt",
    cases: {
      "in a shared conversation": { ask: one, answers: from("viewer") },
      "in none": { ask: apart, answers: ownerAlone(), defence: "identity" },
      "in the trash": { ask: inTrash, answers: ownerAlone(404) },
    },
  },
  changeCanvas: {
    access: "jwt",
    cases: {
      it: {
        ask: async (world) => ({ ...(await one(world)), body: { title: "renamed" } }),
        answers: from("editor"),
      },
      "in none": {
        ask: async (world) => ({ ...(await apart(world)), body: { title: "renamed" } }),
        answers: ownerAlone(),
        defence: "identity",
      },
    },
  },
  deleteCanvas: {
    access: "jwt",
    cases: { it: { ask: one, answers: from("owner"), once: true } },
  },
  restoreCanvas: {
    access: "jwt",
    cases: { it: { ask: inTrash, answers: ownerAlone(), once: true } },
  },
  listCanvasVersions: {
    access: "jwt",
    cases: { it: { ask: one, answers: from("viewer") } },
  },
  createCanvasVersion: {
    access: "jwt",
    cases: {
      it: {
        ask: async (world) => ({
          ...(await one(world)),
          body: { baseVersion: 1, content: "next" },
        }),
        answers: from("editor"),
        once: true,
      },
    },
  },
  diffCanvas: {
    access: "jwt",
    cases: {
      it: {
        ask: async (world) => ({ ...(await one(world)), query: { from: "1", to: "1" } }),
        answers: from("viewer", { good: "with it" }),
      },
    },
  },
  exportCanvas: {
    access: "jwt",
    cases: {
      it: {
        ask: async (world) => ({ ...(await one(world)), query: { fileType: "md" } }),
        answers: from("viewer", { good: "with it" }),
      },
    },
  },
};

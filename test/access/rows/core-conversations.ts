import { alike, from, ownerAlone, type Rows, services } from "../row.ts";
import { conversation, type World } from "../world.ts";

const one = async (world: World) => {
  const { id, mark } = await conversation(world);
  return { params: { conversationId: id }, mark };
};
const message = async (world: World) => ({
  params: { messageId: (await conversation(world)).messageId },
});
const reply = async (world: World) => {
  const { id, messageId } = await conversation(world);
  return { params: { conversationId: id }, query: { messageId } };
};
const inTrash = async (world: World) => {
  const { id, mark } = await conversation(world);
  await world.as("owner", "DELETE", `/api/v1/conversation/${id}`);
  return { params: { conversationId: id }, mark };
};

export const conversations: Rows = {
  personalData: {
    access: "service-secret",
    cases: {
      it: {
        ask: ({ people }) => ({ params: { userId: people.owner.id } }),
        answers: services,
      },
    },
  },
  keepTranscript: {
    access: "service-secret",
    cases: {
      it: {
        ask: ({ people }) => ({
          body: {
            userId: people.owner.id,
            clientId: "default",
            conversationId: crypto.randomUUID(),
            title: "t",
            content: "c",
          },
        }),
        answers: services,
      },
    },
  },
  listViewContexts: {
    access: "jwt",
    cases: { it: { ask: one, answers: from("viewer") } },
  },
  setViewContext: {
    access: "jwt",
    harmless: { "params.toolCallId": "a name of its own in the conversation" },
    cases: {
      it: {
        ask: async (world) => ({
          params: { ...(await one(world)).params, toolCallId: "call" },
          body: { server: "town", content: "c" },
        }),
        answers: from("editor"),
      },
    },
  },
  deleteViewContext: {
    access: "jwt",
    harmless: { "params.toolCallId": "a name of its own in the conversation" },
    cases: {
      it: {
        ask: async (world) => ({
          params: { ...(await one(world)).params, toolCallId: "call" },
        }),
        answers: from("editor"),
      },
    },
  },
  conversationFile: {
    access: "jwt",
    harmless: {
      "params.fileId": "test/run-python.test.ts asks who may read one that exists",
    },
    cases: {
      it: {
        ask: () => ({ params: { fileId: crypto.randomUUID() } }),
        answers: alike("404 conversation_file_not_found"),
        defence: "identity",
      },
    },
  },
  conversationFiles: {
    access: "jwt",
    cases: {
      it: {
        ask: async (world) => ({ params: (await one(world)).params }),
        answers: from("viewer"),
      },
    },
  },
  deleteConversationFile: {
    access: "jwt",
    harmless: {
      "params.fileId": "test/run-python.test.ts asks who may delete one that exists",
    },
    cases: {
      it: {
        ask: async (world) => ({
          params: { ...(await one(world)).params, fileId: crypto.randomUUID() },
        }),
        answers: from("editor", {
          good: "404 conversation_file_not_found",
          hidden: "404 conversation_not_found",
        }),
      },
    },
  },
  chatHistory: {
    access: "jwt",
    harmless: { "query.agentId": "it filters the caller's own conversations" },
    cases: {
      it: {
        ask: async (world) => ({ mark: (await conversation(world)).id }),
        answers: ownerAlone("with it", "without it"),
      },
    },
  },
  search: {
    access: "jwt",
    cases: {
      it: {
        ask: async (world) => {
          const { id, mark } = await conversation(world);
          return { query: { query: mark }, mark: id };
        },
        answers: ownerAlone("with it", "without it"),
      },
    },
  },
  tags: {
    access: "jwt",
    cases: {
      it: {
        ask: async (world) => {
          const [{ id }, tag] = [await conversation(world), world.word()];
          await world.as("owner", "PATCH", `/api/v1/conversation/${id}`, { tags: [tag] });
          return { mark: tag };
        },
        answers: ownerAlone("with it", "without it"),
      },
    },
  },
  trash: {
    access: "jwt",
    cases: {
      it: {
        ask: async (world) => ({ mark: (await inTrash(world)).params.conversationId }),
        answers: ownerAlone("with it", "without it"),
      },
    },
  },
  purge: {
    access: "jwt",
    cases: { it: { ask: inTrash, answers: ownerAlone(), once: true } },
  },
  getReaction: { access: "jwt", cases: { it: { ask: message, answers: from("viewer") } } },
  setReaction: {
    access: "jwt",
    cases: {
      it: {
        ask: async (world) => ({ ...(await message(world)), body: { reaction: "like" } }),
        answers: from("commenter"),
      },
    },
  },
  multiple: {
    access: "internal",
    cases: {
      it: {
        ask: async (world) => {
          const { id, mark } = await conversation(world);
          return { query: { ids: id }, mark };
        },
        answers: from("viewer", { good: "with it", hidden: "without it" }),
        service: "with it",
      },
    },
  },
  titles: {
    access: "jwt",
    cases: {
      it: {
        ask: async (world) => {
          const { id, mark } = await conversation(world);
          return { query: { ids: id }, mark };
        },
        answers: from("viewer", { good: "with it", hidden: "without it" }),
      },
    },
  },
  get: {
    access: "jwt",
    cases: { it: { ask: one, answers: from("viewer", { good: "with it" }) } },
  },
  messages: {
    access: "jwt",
    cases: {
      it: { ask: one, answers: from("viewer", { good: "with it" }) },
      leaf: {
        ask: async (world) => {
          const { params, query } = await reply(world);
          const { messageId } = query;
          return { params, query: { leaf: messageId, before: messageId } };
        },
        answers: from("viewer"),
      },
    },
  },
  change: {
    access: "jwt",
    cases: {
      it: {
        ask: async (world) => ({ ...(await one(world)), body: { pinned: true } }),
        answers: from("editor"),
      },
    },
  },
  remove: {
    access: "jwt",
    cases: { it: { ask: one, answers: from("owner"), once: true } },
  },
  restore: {
    access: "jwt",
    cases: { it: { ask: inTrash, answers: ownerAlone(), once: true } },
  },
  export: {
    access: "jwt",
    cases: { it: { ask: one, answers: from("viewer", { good: "with it" }) } },
  },
};

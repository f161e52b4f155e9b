import { alike, from, type Rows, services } from "../row.ts";
import { agent, canvas, conversation, document, type World } from "../world.ts";

const one = async (world: World) => {
  const { id, mark } = await conversation(world);
  return { params: { conversationId: id }, mark };
};
const reply = async (world: World) => {
  const { id, messageId } = await conversation(world);
  return { params: { conversationId: id }, query: { messageId } };
};
const say = (more: object) => ({ body: { content: "and now?", stream: false, ...more } });
const again = (of: { id: string; messageId: string }, more: object = {}) => ({
  params: { conversationId: of.id },
  body: { messageId: of.messageId, stream: false, ...more },
});
/** An agent run that a peer starts on behalf of a user. */
const asked = async (world: World, person: "owner" | "stranger") => ({
  body: {
    userId: world.people[person].id,
    clientId: "default",
    key: world.word(),
    agentId: (await agent(world)).id,
    title: "t",
    content: "c",
    waitMs: 0,
  },
});

export const replies: Rows = {
  runAgent: {
    access: "service-secret",
    cases: {
      it: { ask: async (world) => asked(world, "owner"), answers: services },
      "in the name of one who may not use the agent": {
        ask: async (world) => asked(world, "stranger"),
        answers: services,
        service: "404 agent_not_found",
      },
    },
  },
  listToolsets: { access: "jwt", cases: { it: { ask: () => ({}), answers: alike() } } },
  callPlatformTool: {
    access: "service-secret",
    cases: {
      it: {
        ask: () => ({
          params: { sessionId: crypto.randomUUID() },
          body: { name: "read_canvas", arguments: {} },
        }),
        answers: services,
        // only the runs themselves know the ids of open sessions
        service: "404 tool_session_ended",
      },
    },
  },
  admitRun: {
    access: "service-secret",
    cases: {
      it: {
        ask: ({ people }) => ({
          body: { userId: people.owner.id, model: "parlance-offline" },
        }),
        answers: services,
      },
    },
  },
  listFallbacks: {
    access: "service-secret",
    cases: {
      it: {
        ask: ({ people }) => ({
          body: { userId: people.owner.id, model: "parlance-offline" },
        }),
        answers: services,
      },
    },
  },
  stopAgent: {
    access: "service-secret",
    cases: {
      it: {
        ask: async (world) => ({
          body: {
            userId: world.people.owner.id,
            conversationId: (await conversation(world)).id,
          },
        }),
        answers: services,
      },
      "in the name of one whose it is not": {
        ask: async (world) => ({
          body: {
            userId: world.people.editor.id,
            conversationId: (await conversation(world)).id,
          },
        }),
        answers: services,
        service: "404 conversation_not_found",
      },
    },
  },
  send: {
    access: ["jwt", "key"],
    cases: {
      conversationId: {
        ask: async (world) => say({ conversationId: (await conversation(world)).id }),
        answers: from("editor"),
      },
      parentMessageId: {
        ask: async (world) => {
          const { id, messageId } = await conversation(world);
          return say({ conversationId: id, parentMessageId: messageId });
        },
        answers: from("editor"),
      },
      "parentMessageId of another conversation": {
        ask: async (world) => {
          const [{ id }, other] = [await conversation(world), await conversation(world)];
          return say({ conversationId: id, parentMessageId: other.messageId });
        },
        answers: from("editor", {
          good: "404 message_not_found",
          hidden: "404 conversation_not_found",
        }),
      },
      agentId: {
        ask: async (world) => say({ agentId: (await agent(world)).id }),
        answers: from("viewer"),
      },
      canvasId: {
        ask: async (world) => say({ canvasId: (await canvas(world)).id }),
        answers: from("viewer"),
      },
      files: {
        ask: async (world) => say({ files: [(await document(world)).id] }),
        answers: from("viewer"),
      },
    },
  },
  regenerate: {
    access: ["jwt", "key"],
    cases: {
      "its reply": {
        ask: async (world) => again(await conversation(world)),
        answers: from("editor"),
      },
      "its question": {
        ask: async (world) => {
          const { id, userMessageId } = await conversation(world);
          return again({ id, messageId: userMessageId });
        },
        answers: from("editor"),
      },
      "a message of another conversation": {
        ask: async (world) => {
          const [{ id }, { messageId }] = [
            await conversation(world),
            await conversation(world),
          ];
          return again({ id, messageId });
        },
        answers: from("editor", {
          good: "404 message_not_found",
          hidden: "404 conversation_not_found",
        }),
      },
      "with an agent": {
        ask: async (world) =>
          again(await conversation(world), { agentId: (await agent(world)).id }),
        answers: from("editor"),
      },
    },
  },
  attach: {
    access: "jwt",
    cases: {
      it: { ask: one, answers: from("viewer", { good: "with it" }) },
      messageId: {
        ask: async (world) => ({ ...(await reply(world)), mark: "done" }),
        answers: from("viewer", { good: "with it" }),
      },
    },
  },
  stop: {
    access: "jwt",
    cases: {
      it: { ask: one, answers: from("editor") },
      messageId: {
        ask: async (world) => {
          const { params, query } = await reply(world);
          return { params, body: query };
        },
        answers: from("editor"),
      },
    },
  },
  // no tool is allowed yet: every caller has an empty list
  listWaiting: { access: "jwt", cases: { it: { ask: () => ({}), answers: alike() } } },
  listAllowedTools: { access: "jwt", cases: { it: { ask: () => ({}), answers: alike() } } },
  revokeTool: {
    access: "jwt",
    cases: {
      it: {
        ask: () => ({ params: { server: "none", name: "none" } }),
        answers: alike("404 tool_not_allowed"),
      },
    },
  },
  approve: {
    access: "jwt",
    cases: {
      // nothing waits: callers who may decide learn that, others learn nothing
      it: {
        ask: async (world) => ({
          ...(await one(world)),
          body: { toolCallId: "none", decision: "approve" },
        }),
        answers: from("editor", {
          good: "404 call_not_waiting",
          hidden: "404 conversation_not_found",
        }),
      },
    },
    harmless: { "body.toolCallId": "it is looked for in the conversation alone" },
  },
};

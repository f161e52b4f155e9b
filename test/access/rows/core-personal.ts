import { administrators, operators, alike, from, ownerAlone, type Rows } from "../row.ts";
import { agent, conversation, folder, type World } from "../world.ts";

const conversion = async (world: World) => {
  const mark = world.word();
  const { id } = await world.as("owner", "POST", "/api/v1/conversion", {
    type: "grammar",
    text: `A text about ${mark}.`,
  });
  return { id, mark };
};
/** Nobody has a model for these tasks here, which is said to all who may ask. */
const task = (body: object): Rows[string] => ({
  access: ["key", "jwt"],
  cases: { it: { ask: () => ({ body }), answers: alike("404 model_not_found") } },
});
const recording = (unknown: "404 model_not_found" | "404 model_unknown"): Rows[string] => ({
  access: ["key", "jwt"],
  cases: {
    it: {
      ask: () => ({ form: { file: new File(["sound"], "talk.wav") } }),
      answers: alike(unknown),
    },
  },
});
const oneConversion = async (world: World) => {
  const { id, mark } = await conversion(world);
  return { params: { id }, mark };
};
/** A personal template of the owner, shared. */
const template = async (world: World) => {
  const mark = world.word();
  const body = { name: mark, content: mark, scope: "personal" };
  const { id } = await world.as("owner", "POST", "/api/v1/templates", body);
  await world.share("template", id);
  return { id, mark };
};
const oneTemplate = async (world: World) => {
  const { id, mark } = await template(world);
  return { params: { id }, mark };
};
const listed = async (world: World) => {
  const { mark } = await template(world);
  return { query: { query: mark }, mark };
};
const organizationTemplate = async (world: World) => {
  const mark = world.word();
  const body = { name: mark, content: mark, scope: "organization" };
  const { id } = await world.as("admin", "POST", "/api/v1/templates", body);
  return { params: { id }, mark, everybodys: [id] };
};
/** What the owner thinks of an answer. */
const aRating = async (world: World) => {
  const mark = world.word();
  const { messageId } = await conversation(world);
  const path = `/api/v1/conversation/message-reaction/${messageId}`;
  await world.as("owner", "POST", path, { reaction: "dislike", comment: mark });
  return { mark };
};
const budget = (world: World) =>
  world.as("admin", "POST", "/api/v1/budgets", {
    name: world.word(),
    subjectType: "user",
    subjectId: world.people.owner.id,
    unit: "tokens",
    amount: 1e12,
    period: "day",
  });
const oneBudget = async (world: World) => ({ params: { id: (await budget(world)).id } });
/** A stored response of the owner's, by an agent that is shared. */
const response = async (world: World) => {
  const mark = world.word();
  const model = `agent:${(await agent(world)).id}`;
  const body = { model, input: "hello", metadata: { mark } };
  const { id } = await world.as("owner", "POST", "/v1/responses", body);
  return { id, model, item: id.replace("resp_", "msg_") + "_0", mark };
};
const aModel = async (world: World) => {
  const { data } = await world.as<{ data: { id: string }[] }>("owner", "GET", "/v1/models");
  return data.find(({ id }) => !id.startsWith("agent:"))?.id;
};
const oneResponse = async (world: World) => {
  const { id, mark } = await response(world);
  return { params: { response: id }, mark };
};
const publicConversation = async (world: World) => {
  const { id } = await conversation(world);
  return { params: { conversation: `conv_${id.replaceAll("-", "")}` } };
};
/** Without access the list is a success without the template. */
const LISTED = from("viewer", { good: "with it", hidden: "without it" });
const READ = from("viewer", { good: "with it" });

/** Conversions, templates, usage, and the face that OpenAI's clients know. */
export const personal: Rows = {
  convert: {
    access: "jwt",
    cases: {
      it: { ask: () => ({ body: { type: "grammar", text: "A text." } }), answers: alike() },
    },
  },
  listConversions: {
    access: "jwt",
    cases: {
      it: {
        ask: async (world) => ({ mark: (await conversion(world)).id }),
        answers: ownerAlone("with it", "without it"),
      },
    },
  },
  deleteConversions: {
    access: "jwt",
    cases: {
      it: {
        ask: async (world) => ({
          body: { ids: [(await conversion(world)).id] },
          mark: '"success":true',
        }),
        answers: ownerAlone("with it", "without it"),
        once: true,
      },
    },
  },
  getConversion: {
    access: "jwt",
    cases: { it: { ask: oneConversion, answers: ownerAlone("with it") } },
  },
  changeConversion: {
    access: "jwt",
    cases: {
      it: {
        ask: async (world) => ({
          ...(await oneConversion(world)),
          body: { output: "Another." },
        }),
        answers: ownerAlone(),
      },
    },
  },
  listTemplates: {
    access: "jwt",
    cases: { it: { ask: listed, answers: LISTED } },
  },
  enabledTemplates: {
    access: "jwt",
    cases: { it: { ask: listed, answers: LISTED } },
  },
  templatesByIds: {
    access: "jwt",
    cases: {
      it: {
        ask: async (world) => {
          const { id, mark } = await template(world);
          return { body: { ids: [id] }, mark };
        },
        answers: LISTED,
      },
    },
  },
  getTemplate: {
    access: "jwt",
    cases: {
      personal: { ask: oneTemplate, answers: READ },
      organization: { ask: organizationTemplate, answers: alike("with it") },
    },
  },
  fillTemplate: {
    access: "jwt",
    cases: {
      it: {
        ask: async (world) => ({ ...(await oneTemplate(world)), body: {} }),
        answers: READ,
      },
    },
  },
  createTemplate: {
    access: "jwt",
    cases: {
      personal: {
        ask: () => ({ body: { name: "n", content: "c", scope: "personal" } }),
        answers: alike(),
      },
      organization: {
        ask: () => ({ body: { name: "n", content: "c", scope: "organization" } }),
        answers: operators(),
      },
    },
  },
  changeTemplate: {
    access: "jwt",
    cases: {
      personal: {
        ask: async (world) => ({
          ...(await oneTemplate(world)),
          body: { name: "renamed" },
        }),
        answers: from("editor"),
      },
      organization: {
        ask: async (world) => ({
          ...(await organizationTemplate(world)),
          body: { name: "renamed" },
        }),
        answers: operators(),
      },
    },
  },
  deleteTemplate: {
    access: "jwt",
    cases: {
      personal: { ask: oneTemplate, answers: from("owner"), once: true },
      organization: { ask: organizationTemplate, answers: operators(), once: true },
    },
  },
  listFeedback: {
    access: "admin",
    harmless: { "query.agentId": "it filters what the caller's organisation said" },
    cases: {
      it: {
        ask: aRating,
        answers: { ...administrators("with it"), foreignAdmin: "without it" },
      },
    },
  },
  exportFeedback: {
    access: "admin",
    harmless: { "query.agentId": "it filters what the caller's organisation said" },
    cases: {
      it: {
        ask: aRating,
        answers: { ...administrators("with it"), foreignAdmin: "without it" },
      },
    },
  },
  usage: {
    access: "jwt",
    cases: {
      it: {
        ask: ({ people }) => ({
          query: { groupBy: "user", limit: "100" },
          mark: people.owner.id,
        }),
        answers: { ...ownerAlone("with it", "without it"), admin: "with it" },
      },
      "of another user": {
        ask: ({ people }) => ({
          query: { groupBy: "user", userId: people.owner.id },
          mark: people.owner.id,
        }),
        answers: { ...ownerAlone("with it", "without it"), admin: "with it" },
      },
    },
    harmless: { "query.agentId": "it narrows what the caller may see anyway" },
  },
  ownBudgets: {
    access: "jwt",
    cases: {
      it: {
        ask: async (world) => ({ mark: (await budget(world)).id }),
        answers: ownerAlone("with it", "without it"),
        defence: "identity",
      },
    },
  },
  listBudgets: {
    access: "operator",
    cases: { it: { ask: () => ({}), answers: operators() } },
  },
  createBudget: {
    access: "operator",
    cases: {
      it: {
        ask: ({ people }) => ({
          body: {
            name: "b",
            subjectType: "user",
            subjectId: people.owner.id,
            unit: "tokens",
            amount: 1e12,
            period: "day",
          },
        }),
        answers: operators(),
      },
    },
  },
  getBudget: {
    access: "operator",
    cases: { it: { ask: oneBudget, answers: operators() } },
  },
  budgetSpending: {
    access: "operator",
    cases: { it: { ask: oneBudget, answers: operators() } },
  },
  changeBudget: {
    access: "operator",
    cases: {
      it: {
        ask: async (world) => ({ ...(await oneBudget(world)), body: { name: "b" } }),
        answers: operators(),
      },
    },
  },
  deleteBudget: {
    access: "operator",
    cases: { it: { ask: oneBudget, answers: operators(), once: true } },
  },
  chatCompletions: {
    access: ["key", "jwt"],
    cases: {
      "an agent as the model": {
        ask: async (world) => ({
          body: {
            model: `agent:${(await agent(world)).id}`,
            messages: [{ role: "user", content: "hello" }],
          },
        }),
        answers: from("viewer"),
      },
    },
    harmless: {
      "body.messages.tool_call_id": "it names a call in the same request",
      "body.messages.tool_calls.id": "it names a call in the same request",
    },
  },
  textCompletions: {
    access: ["key", "jwt"],
    cases: {
      "an agent as the model": {
        ask: async (world) => ({
          body: { model: `agent:${(await agent(world)).id}`, prompt: "hello" },
        }),
        answers: from("viewer"),
      },
    },
  },
  agentCard: {
    access: ["jwt", "key"],
    cases: {
      it: {
        ask: async (world) => ({ params: { agentId: (await agent(world)).id } }),
        answers: from("viewer"),
      },
    },
  },
  // whose task it is: test/a2a.test.ts, because every answer of JSON-RPC is 200
  agentRpc: {
    access: ["jwt", "key"],
    cases: {
      it: {
        ask: async (world) => ({
          params: { agentId: (await agent(world)).id },
          body: { jsonrpc: "2.0", id: 1, method: "message/send", params: {} },
        }),
        answers: from("viewer"),
      },
    },
  },
  createResponse: {
    access: ["key", "jwt"],
    cases: {
      "an agent as the model": {
        ask: async (world) => ({
          body: { model: `agent:${(await agent(world)).id}`, input: "hello" },
        }),
        answers: from("viewer"),
      },
      "continuing a response": {
        ask: async (world) => {
          const { id, model } = await response(world);
          return { body: { model, input: "And?", previous_response_id: id } };
        },
        answers: ownerAlone("yes", "400 previous_response_not_found"),
      },
      "in a conversation": {
        ask: async (world) => {
          const { params } = await publicConversation(world);
          return { body: { model: await aModel(world), input: "And?", ...params } };
        },
        answers: from("editor"),
      },
      "in a conversation by its object": {
        ask: async (world) => {
          const { params } = await publicConversation(world);
          const conversation = { id: params.conversation };
          return { body: { model: await aModel(world), input: "And?", conversation } };
        },
        answers: from("editor"),
      },
      "searching a vector store": {
        ask: async (world) => {
          const model = await aModel(world);
          const tool = {
            type: "file_search",
            vector_store_ids: [`vs_${(await folder(world)).id}`],
          };
          return { body: { model, input: "And?", tools: [tool] } };
        },
        answers: from("viewer"),
      },
      "with an item of a response": {
        ask: async (world) => {
          const { model, item } = await response(world);
          const question = { role: "user", content: "And?" };
          return {
            body: { model, input: [question, { type: "item_reference", id: item }] },
          };
        },
        answers: ownerAlone("yes", "400 item_not_found"),
      },
    },
    harmless: {
      "body.input.call_id": "it names a call in the same request",
    },
  },
  readResponse: {
    access: ["key", "jwt"],
    cases: { it: { ask: oneResponse, answers: ownerAlone("with it") } },
  },
  deleteResponse: {
    access: ["key", "jwt"],
    cases: { it: { ask: oneResponse, answers: ownerAlone(), once: true } },
  },
  createOpenAiConversation: {
    access: ["key", "jwt"],
    cases: { it: { ask: () => ({ body: {} }), answers: alike() } },
  },
  readOpenAiConversation: {
    access: ["key", "jwt"],
    cases: { it: { ask: publicConversation, answers: from("viewer") } },
  },
  deleteOpenAiConversation: {
    access: ["key", "jwt"],
    cases: { it: { ask: publicConversation, answers: from("owner"), once: true } },
  },
  listOpenAiConversationItems: {
    access: ["key", "jwt"],
    cases: { it: { ask: publicConversation, answers: from("viewer") } },
  },
  cancelResponse: {
    access: ["key", "jwt"],
    cases: {
      it: { ask: oneResponse, answers: ownerAlone("400 response_not_in_background") },
    },
  },
  listInputItems: {
    access: ["key", "jwt"],
    cases: { it: { ask: oneResponse, answers: ownerAlone() } },
  },
  anthropicMessage: {
    access: ["key", "jwt"],
    cases: {
      "an agent as the model": {
        ask: async (world) => ({
          body: {
            model: `agent:${(await agent(world)).id}`,
            max_tokens: 100,
            messages: [{ role: "user", content: "hello" }],
          },
        }),
        answers: from("viewer"),
      },
    },
    harmless: {
      "body.messages.content.id": "it names a call in the same request",
      "body.messages.content.tool_use_id": "it names a call in the same request",
    },
  },
  anthropicTokens: {
    access: ["key", "jwt"],
    cases: {
      it: {
        ask: () => ({
          body: { model: "any", messages: [{ role: "user", content: "hello" }] },
        }),
        answers: alike(),
      },
    },
    harmless: {
      "body.messages.content.id": "it names a call in the same request",
      "body.messages.content.tool_use_id": "it names a call in the same request",
    },
  },
  generateImages: {
    access: "jwt",
    cases: {
      "by itself": {
        ask: () => ({ body: { prompt: "a boat" } }),
        answers: alike("404 model_unknown"),
      },
      "in a conversation": {
        ask: async (world) => {
          const { id: conversationId, mark } = await conversation(world);
          return { body: { prompt: "a boat", conversationId }, mark };
        },
        answers: from("editor", {
          good: "404 model_unknown",
          weak: "403 conversation_read_only",
          hidden: "404 conversation_not_found",
        }),
      },
    },
  },
  makeSpeech: {
    access: "jwt",
    cases: {
      it: { ask: () => ({ body: { text: "hello" } }), answers: alike("404 model_unknown") },
    },
  },
  makeTranscription: { ...recording("404 model_unknown"), access: "jwt" },
  openAiImages: task({ prompt: "a boat" }),
  openAiSpeech: {
    ...task({ input: "hello", voice: "alloy" }),
    harmless: { "body.voice.id": "it names a voice of the provider" },
  },
  openAiImageEdits: {
    access: ["key", "jwt"],
    cases: {
      it: {
        ask: () => ({ form: { image: new File(["image"], "boat.png"), prompt: "A boat" } }),
        answers: alike("404 model_not_found"),
      },
    },
  },
  openAiModeration: task({ input: "hello" }),
  openAiTranscription: recording("404 model_not_found"),
  openAiTranslation: recording("404 model_not_found"),
  openAiModels: {
    access: ["key", "jwt"],
    cases: {
      it: {
        ask: async (world) => ({ mark: (await agent(world)).id }),
        answers: ownerAlone("with it", "without it"),
      },
    },
    harmless: {
      "query.after_id": "it is looked up in the caller's own list",
      "query.before_id": "it is looked up in the caller's own list",
    },
  },
  openAiModel: {
    access: ["key", "jwt"],
    cases: {
      it: {
        ask: async (world) => ({ params: { model: `agent:${(await agent(world)).id}` } }),
        answers: from("viewer"),
      },
    },
  },
};

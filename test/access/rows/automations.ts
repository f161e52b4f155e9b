import { alike, from, members, type Rows } from "../row.ts";
import { agent, type World } from "../world.ts";

/** Rules are an organisation's: its members see and change them. */

const rule = async (world: World) => {
  const mark = world.word();
  const { id } = await agent(world);
  const { id: ruleId } = await world.as<{ id: number }>("owner", "POST", "/api/automations", {
    name: mark,
    type: "audio",
    agents: [id],
  });
  return { ruleId, mark };
};
const one = async (world: World) => {
  const { ruleId, mark } = await rule(world);
  return { params: { id: ruleId }, mark };
};

export const automations: Rows = {
  list: {
    access: "jwt",
    cases: {
      it: {
        ask: async (world) => ({ query: { limit: "100" }, mark: (await rule(world)).mark }),
        answers: members("with it", "without it"),
      },
    },
  },
  search: {
    access: "jwt",
    cases: {
      it: {
        ask: async (world) => ({
          query: { type: "audio", limit: "100" },
          mark: (await rule(world)).mark,
        }),
        answers: members("with it", "without it"),
      },
    },
  },
  match: {
    access: "jwt",
    cases: {
      it: {
        ask: async (world) => {
          const [mark, { id }] = [world.word(), await agent(world)];
          await world.as("owner", "POST", "/api/automations", {
            name: mark,
            type: mark,
            agents: [id],
          });
          return { body: { type: mark, filename: "a" }, mark };
        },
        answers: members("with it", "without it"),
        defence: "identity",
      },
    },
  },
  create: {
    access: "jwt",
    cases: {
      agents: {
        ask: async (world) => ({
          body: { name: "r", type: "audio", agents: [(await agent(world)).id] },
        }),
        answers: from("viewer", { hidden: 400 }),
      },
      "agents.id": {
        ask: async (world) => ({
          body: {
            name: "r",
            type: "audio",
            agents: [{ id: (await agent(world)).id, depends_on: [] }],
          },
        }),
        answers: from("viewer", { hidden: 400 }),
      },
    },
    harmless: { "body.agents.depends_on": "it names agents of the same rule" },
  },
  get: { access: "jwt", cases: { it: { ask: one, answers: members("with it") } } },
  change: {
    access: "jwt",
    cases: {
      it: {
        ask: async (world) => ({ ...(await one(world)), body: { name: "renamed" } }),
        answers: members(),
      },
      agents: {
        ask: async (world) => ({
          ...(await one(world)),
          body: { agents: [(await agent(world)).id] },
        }),
        answers: { ...from("viewer", { hidden: 400 }), foreigner: 404 },
      },
      "agents.id": {
        ask: async (world) => ({
          ...(await one(world)),
          body: { agents: [{ id: (await agent(world)).id }] },
        }),
        answers: { ...from("viewer", { hidden: 400 }), foreigner: 404 },
      },
    },
    harmless: { "body.agents.depends_on": "it names agents of the same rule" },
  },
  remove: {
    access: "jwt",
    cases: { it: { ask: one, answers: { ...alike(), foreigner: 404 }, once: true } },
  },
};

import { operators, alike, from, ownerAlone, type Rows } from "../row.ts";
import { agent, type World } from "../world.ts";

const conversion = async (world: World) => {
  const mark = world.word();
  const { id } = await world.as("owner", "POST", "/api/v1/conversion", {
    type: "grammar",
    text: `A text about ${mark}.`,
  });
  return { id, mark };
};
const oneConversion = async (world: World) => {
  const { id, mark } = await conversion(world);
  return { params: { id }, mark };
};
const template = async (world: World) => {
  const mark = world.word();
  return {
    ...(await world.as("admin", "POST", "/api/v1/templates", { name: mark, content: mark })),
    mark,
  };
};
const oneTemplate = async (world: World) => {
  const { id, mark } = await template(world);
  return { params: { id }, mark };
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
const EVERYBODYS = {
  "params.id": "templates are everybody's",
  "body.ids": "templates are everybody's",
};

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
        ask: async (world) => ({ ...(await oneConversion(world)), body: { output: "Another." } }),
        answers: ownerAlone(),
      },
    },
  },
  listTemplates: { access: "jwt", cases: { it: { ask: () => ({}), answers: alike() } } },
  enabledTemplates: { access: "jwt", cases: { it: { ask: () => ({}), answers: alike() } } },
  templatesByIds: {
    access: "jwt",
    cases: {
      it: {
        ask: async (world) => ({ body: { ids: [(await template(world)).id] } }),
        answers: alike(),
      },
    },
    harmless: EVERYBODYS,
  },
  getTemplate: {
    access: "jwt",
    cases: { it: { ask: oneTemplate, answers: alike("with it") } },
    harmless: EVERYBODYS,
  },
  fillTemplate: {
    access: "jwt",
    cases: {
      it: {
        ask: async (world) => ({ ...(await oneTemplate(world)), body: {} }),
        answers: alike("with it"),
      },
    },
    harmless: EVERYBODYS,
  },
  createTemplate: {
    access: "operator",
    cases: {
      it: { ask: () => ({ body: { name: "n", content: "c" } }), answers: operators() },
    },
  },
  changeTemplate: {
    access: "operator",
    cases: {
      it: {
        ask: async (world) => ({ ...(await oneTemplate(world)), body: { name: "renamed" } }),
        answers: operators(),
      },
    },
  },
  deleteTemplate: {
    access: "operator",
    cases: { it: { ask: oneTemplate, answers: operators(), once: true } },
  },
  usage: {
    access: "jwt",
    cases: {
      it: {
        ask: ({ people }) => ({ query: { groupBy: "user", limit: "100" }, mark: people.owner.id }),
        answers: { ...ownerAlone("with it", "without it"), admin: "with it" },
      },
    },
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
  listBudgets: { access: "operator", cases: { it: { ask: () => ({}), answers: operators() } } },
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
  getBudget: { access: "operator", cases: { it: { ask: oneBudget, answers: operators() } } },
  budgetSpending: { access: "operator", cases: { it: { ask: oneBudget, answers: operators() } } },
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
  openAiModels: {
    access: ["key", "jwt"],
    cases: {
      it: {
        ask: async (world) => ({ mark: (await agent(world)).id }),
        answers: ownerAlone("with it", "without it"),
      },
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

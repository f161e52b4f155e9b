import { operators, alike, from, ownerAlone, type Rows } from "../row.ts";
import { agent, type World } from "../world.ts";

/** Sources and schedules belong to their owner. */

const access = ["jwt", "key"] as const;
const webhook = async (world: World) => {
  const mark = world.word();
  return {
    ...(await world.as("owner", "POST", "/api/automations/sources", {
      kind: "webhook",
      name: mark,
    })),
    mark,
  };
};
const oneSource = async (world: World) => {
  const { id, mark } = await webhook(world);
  return { params: { id }, mark };
};
const planned = async (world: World, more: object = {}) => ({
  name: world.word(),
  cron: "0 9 1 1 *",
  input: "Begin.",
  agents: [(await agent(world)).id],
  ...more,
});
const schedule = async (world: World) => {
  const body = await planned(world);
  return {
    ...(await world.as("owner", "POST", "/api/automations/schedules", body)),
    mark: body.name,
  };
};
const oneSchedule = async (world: World) => {
  const { id, mark } = await schedule(world);
  return { params: { id }, mark };
};
const step = async (world: World) => [{ id: (await agent(world)).id }];
const harmless = { "body.agents.depends_on": "it names agents of the same schedule" };

export const automationSources: Rows = {
  listSources: {
    access,
    cases: {
      it: {
        ask: async (world) => ({ mark: (await webhook(world)).mark }),
        answers: ownerAlone("with it", "without it"),
      },
    },
  },
  createSource: {
    access,
    cases: {
      "a webhook": {
        ask: (world) => ({ body: { kind: "webhook", name: world.word() } }),
        answers: alike(),
      },
      // no folder is allowed here, as permitted callers learn
      "a folder of the server": {
        ask: (world) => ({
          body: { kind: "folder", name: world.word(), settings: { path: "/etc" } },
        }),
        answers: operators("let through"),
      },
    },
    harmless: { "body.settings.accessKeyId": "it is the bucket's" },
  },
  getSource: { access, cases: { it: { ask: oneSource, answers: ownerAlone("with it") } } },
  changeSource: {
    access,
    cases: {
      it: {
        ask: async (world) => ({ ...(await oneSource(world)), body: { isActive: false } }),
        answers: ownerAlone(),
      },
    },
  },
  removeSource: {
    access,
    cases: { it: { ask: oneSource, answers: ownerAlone(), once: true } },
  },
  listSourceItems: { access, cases: { it: { ask: oneSource, answers: ownerAlone() } } },
  renewSecret: { access, cases: { it: { ask: oneSource, answers: ownerAlone() } } },
  // only the signature grants access
  hook: {
    access: "public",
    cases: {
      it: {
        ask: async (world) => ({ ...(await oneSource(world)), body: "A text." }),
        answers: alike(401),
      },
    },
    harmless: { "params.id": "without the signature nobody is let in" },
  },
  listSchedules: {
    access,
    cases: {
      it: {
        ask: async (world) => ({ mark: (await schedule(world)).mark }),
        answers: ownerAlone("with it", "without it"),
      },
    },
  },
  createSchedule: {
    access,
    cases: {
      agents: {
        ask: async (world) => ({ body: await planned(world) }),
        answers: from("viewer", { hidden: 400 }),
      },
      "agents.id": {
        ask: async (world) => ({
          body: await planned(world, { agents: await step(world) }),
        }),
        answers: from("viewer", { hidden: 400 }),
      },
    },
    harmless,
  },
  previewSchedule: {
    access,
    cases: { it: { ask: () => ({ body: { cron: "0 9 * * 1-5" } }), answers: alike() } },
  },
  getSchedule: {
    access,
    cases: { it: { ask: oneSchedule, answers: ownerAlone("with it") } },
  },
  changeSchedule: {
    access,
    cases: {
      agents: {
        ask: async (world) => ({
          ...(await oneSchedule(world)),
          body: { agents: await step(world) },
        }),
        answers: ownerAlone(),
      },
    },
    harmless,
  },
  removeSchedule: {
    access,
    cases: { it: { ask: oneSchedule, answers: ownerAlone(), once: true } },
  },
  runSchedule: { access, cases: { it: { ask: oneSchedule, answers: ownerAlone() } } },
};

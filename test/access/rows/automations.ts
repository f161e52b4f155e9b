import { alike, from, members, ownerAlone, type Rows, services } from "../row.ts";
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

const access = ["jwt", "key"] as const;

/** A run of the owner's that no rule took. */
const run = async (world: World) => {
  const mark = world.word();
  const form = new FormData();
  form.append("file", new File([`A text about ${mark}.`], `${mark}.txt`));
  const response = await fetch(`${world.house.url}/api/automations/media`, {
    method: "POST",
    headers: { authorization: `Bearer ${world.people.owner.token}` },
    body: form,
  });
  const { runId } = (await response.json()) as { runId: string };
  return { params: { id: runId }, mark };
};
const scheduleBody = { name: "s", cron: "0 3 1 1 *", input: "x" };
const schedule = async (world: World) => {
  const mark = world.word();
  const agents = [(await agent(world)).id];
  const { id } = await world.as("owner", "POST", "/api/automations/schedules", { ...scheduleBody, name: mark, agents });
  return { params: { id }, mark };
};
const source = async (world: World) => {
  const mark = world.word();
  const { id } = await world.as("owner", "POST", "/api/automations/sources", { kind: "webhook", name: mark });
  return { params: { id }, mark };
};
const filters = "it narrows the asker's own runs";

const runs: Rows = {
  takeMedium: {
    access,
    cases: { it: { ask: (world) => ({ form: { file: new File([world.word()], "a.txt") } }), answers: alike() } },
  },
  listRuns: {
    access,
    cases: {
      it: {
        ask: async (world) => ({ query: { limit: "100" }, mark: (await run(world)).mark }),
        answers: ownerAlone("with it", "without it"),
      },
    },
    harmless: { "query.ruleId": filters, "query.sourceId": filters, "query.scheduleId": filters },
  },
  getRun: { access, cases: { it: { ask: run, answers: ownerAlone("with it") } } },
  runEvents: { access, cases: { it: { ask: run, answers: ownerAlone() } } },
  cancelRun: { access, cases: { it: { ask: run, answers: ownerAlone(409), defence: "identity" } } },
  rerun: { access, cases: { it: { ask: run, answers: ownerAlone(409), defence: "identity" } } },
  removeRun: { access, cases: { it: { ask: run, answers: ownerAlone(), once: true, defence: "identity" } } },
};

const schedules: Rows = {
  listSchedules: {
    access,
    cases: {
      it: {
        ask: async (world) => ({ query: { limit: "100" }, mark: (await schedule(world)).mark }),
        answers: ownerAlone("with it", "without it"),
      },
    },
  },
  createSchedule: {
    access,
    cases: {
      agents: {
        ask: async (world) => ({ body: { ...scheduleBody, agents: [(await agent(world)).id] } }),
        answers: from("viewer", { hidden: 400 }),
      },
      "agents.id": {
        ask: async (world) => ({ body: { ...scheduleBody, agents: [{ id: (await agent(world)).id }] } }),
        answers: from("viewer", { hidden: 400 }),
      },
    },
    harmless: { "body.agents.depends_on": "it names agents of the same schedule" },
  },
  getSchedule: { access, cases: { it: { ask: schedule, answers: ownerAlone("with it") } } },
  changeSchedule: {
    access,
    cases: {
      it: { ask: async (world) => ({ ...(await schedule(world)), body: { name: "renamed" } }), answers: ownerAlone() },
      agents: {
        ask: async (world) => ({ ...(await schedule(world)), body: { agents: [(await agent(world)).id] } }),
        answers: ownerAlone(),
      },
      "agents.id": {
        ask: async (world) => ({ ...(await schedule(world)), body: { agents: [{ id: (await agent(world)).id }] } }),
        answers: ownerAlone(),
      },
    },
    harmless: { "body.agents.depends_on": "it names agents of the same schedule" },
  },
  removeSchedule: { access, cases: { it: { ask: schedule, answers: ownerAlone(), once: true } } },
  runSchedule: { access, cases: { it: { ask: schedule, answers: ownerAlone() } } },
};

const sources: Rows = {
  listSources: {
    access,
    cases: {
      it: {
        ask: async (world) => ({ query: { limit: "100" }, mark: (await source(world)).mark }),
        answers: ownerAlone("with it", "without it"),
      },
    },
  },
  createSource: {
    access,
    cases: {
      webhook: { ask: () => ({ body: { kind: "webhook", name: "w" } }), answers: alike() },
      // what the server's process may read is for administrators to watch; here no folder is allowed
      folder: {
        ask: () => ({ body: { kind: "folder", name: "f", settings: { path: "/" } } }),
        answers: { ...alike(403), admin: 400 },
      },
    },
    harmless: { "body.settings.accessKeyId": "it names a key at the bucket's provider" },
  },
  getSource: { access, cases: { it: { ask: source, answers: ownerAlone("with it") } } },
  changeSource: {
    access,
    cases: { it: { ask: async (world) => ({ ...(await source(world)), body: { tags: [] } }), answers: ownerAlone() } },
  },
  removeSource: { access, cases: { it: { ask: source, answers: ownerAlone(), once: true } } },
  renewSecret: { access, cases: { it: { ask: source, answers: ownerAlone() } } },
  // whoever signs by the secret is let in, whoever he is
  hook: {
    access: "public",
    cases: { unsigned: { ask: async (world) => ({ params: (await source(world)).params }), answers: alike(401) } },
  },
};

export const automations: Rows = {
  ...runs,
  ...schedules,
  ...sources,
  personalData: {
    access: "service-secret",
    cases: { it: { ask: ({ people }) => ({ params: { userId: people.owner.id } }), answers: services } },
  },
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
        ask: async (world) => ({ query: { type: "audio", limit: "100" }, mark: (await rule(world)).mark }),
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
          await world.as("owner", "POST", "/api/automations", { name: mark, type: mark, agents: [id] });
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
        ask: async (world) => ({ body: { name: "r", type: "audio", agents: [(await agent(world)).id] } }),
        answers: from("viewer", { hidden: 400 }),
      },
      "agents.id": {
        ask: async (world) => ({ body: { name: "r", type: "audio", agents: [{ id: (await agent(world)).id, depends_on: [] }] } }),
        answers: from("viewer", { hidden: 400 }),
      },
    },
    harmless: { "body.agents.depends_on": "it names agents of the same rule" },
  },
  get: { access: "jwt", cases: { it: { ask: one, answers: members("with it") } } },
  change: {
    access: "jwt",
    cases: {
      it: { ask: async (world) => ({ ...(await one(world)), body: { name: "renamed" } }), answers: members() },
      agents: {
        ask: async (world) => ({ ...(await one(world)), body: { agents: [(await agent(world)).id] } }),
        answers: { ...from("viewer", { hidden: 400 }), foreigner: 404 },
      },
      "agents.id": {
        ask: async (world) => ({ ...(await one(world)), body: { agents: [{ id: (await agent(world)).id }] } }),
        answers: { ...from("viewer", { hidden: 400 }), foreigner: 404 },
      },
    },
    harmless: { "body.agents.depends_on": "it names agents of the same rule" },
  },
  remove: { access: "jwt", cases: { it: { ask: one, answers: { ...alike(), foreigner: 404 }, once: true } } },
};

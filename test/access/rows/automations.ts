import { alike, from, members, ownerAlone, type Answer, type Rows } from "../row.ts";
import { agent, upload, type World } from "../world.ts";

/**
 * A user's rules are visible to that user and to administrators; members see their organisation's
 * rules.
 */

const made = async (world: World, person: "owner" | "admin", type = "audio") => {
  const mark = world.word();
  // visible to everyone, so that any creator of the rule may use it
  const agents = ["00000000-0000-7000-8000-000000000004"];
  const body = { name: mark, type, agents };
  const { id } = await world.as<{ id: number }>(person, "POST", "/api/automations", body);
  return { params: { id }, mark };
};
const personal = (world: World) => made(world, "owner");
const ofClient = (world: World) => made(world, "admin");
const ownerAndAdmin = (good: Answer = "yes", hidden: Answer = 404) => ({
  ...ownerAlone(good, hidden),
  admin: good,
});
/** Members see it; administrators alone change it. */
const adminAlone = {
  ...alike(403),
  foreigner: 404,
  foreignAdmin: 404,
  admin: "yes",
} as const;
const sees = {
  personal: ownerAndAdmin("with it", "without it"),
  ofClient: members("with it", "without it"),
};
const listed = (query: Record<string, string>) => ({
  "a user's": {
    ask: async (world: World) => ({ query, mark: (await personal(world)).mark }),
    answers: sees.personal,
  },
  "the organisation's": {
    ask: async (world: World) => ({ query, mark: (await ofClient(world)).mark }),
    answers: sees.ofClient,
  },
});
const matched = (person: "owner" | "admin") => async (world: World) => {
  const type = world.word();
  const { mark } = await made(world, person, type);
  return { body: { type, filename: "a" }, mark };
};

/** A medium that only the rule made here takes, held against another rule. */
const previewed = (person: "owner" | "admin") => async (world: World) => {
  const type = world.word();
  const { mark } = await made(world, person, type);
  return { body: { type: "none", media: [{ type, filename: "a" }] }, mark };
};
const received = async (world: World) => {
  const mark = world.word();
  await upload(world, "/api/automations/media", `${mark}.txt`, { type: mark });
  return mark;
};

export const automations: Rows = {
  list: { access: "jwt", cases: listed({ limit: "100" }) },
  search: { access: "jwt", cases: listed({ type: "audio", limit: "100" }) },
  match: {
    access: "jwt",
    cases: {
      "a user's": { ask: matched("owner"), answers: ownerAlone("with it", "without it") },
      "the organisation's": {
        ask: matched("admin"),
        answers: members("with it", "without it"),
        defence: "identity",
      },
    },
  },
  previewRule: {
    access: "jwt",
    cases: {
      "a user's": { ask: previewed("owner"), answers: ownerAlone("with it", "without it") },
      "the organisation's": {
        ask: previewed("admin"),
        answers: members("with it", "without it"),
        defence: "identity",
      },
      "media of the owner": {
        ask: async (world) => ({ body: { type: "*" }, mark: await received(world) }),
        answers: ownerAlone("with it", "without it"),
      },
    },
    harmless: { "body.ruleId": "it is only left out of the comparison" },
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
  get: {
    access: "jwt",
    cases: {
      "a user's": { ask: personal, answers: ownerAndAdmin("with it") },
      "the organisation's": { ask: ofClient, answers: members("with it") },
    },
  },
  change: {
    access: "jwt",
    cases: {
      "a user's": {
        ask: async (world) => ({ ...(await personal(world)), body: { name: "renamed" } }),
        answers: ownerAndAdmin(),
      },
      "the organisation's": {
        ask: async (world) => ({ ...(await ofClient(world)), body: { name: "renamed" } }),
        answers: adminAlone,
      },
      // an administrator adds no agent that administrators cannot see
      agents: {
        ask: async (world) => ({
          ...(await personal(world)),
          body: { agents: [(await agent(world)).id] },
        }),
        answers: { ...ownerAlone(), admin: 400 },
      },
      "agents.id": {
        ask: async (world) => ({
          ...(await personal(world)),
          body: { agents: [{ id: (await agent(world)).id }] },
        }),
        answers: { ...ownerAlone(), admin: 400 },
      },
    },
    harmless: { "body.agents.depends_on": "it names agents of the same rule" },
  },
  remove: {
    access: "jwt",
    cases: {
      "a user's": { ask: personal, answers: ownerAndAdmin(), once: true },
      "the organisation's": { ask: ofClient, answers: adminAlone, once: true },
    },
  },
  listRuleRuns: {
    access: "jwt",
    cases: {
      "a user's": { ask: personal, answers: ownerAndAdmin() },
      "the organisation's": { ask: ofClient, answers: adminAlone },
    },
  },
};

import { from, type Rows } from "../row.ts";
import { agent, type World } from "../world.ts";

const version = async (world: World) => {
  const { id, mark } = await agent(world);
  await world.as("owner", "PATCH", `/api/v1/agent/${id}`, { description: "changed" });
  return { params: { id, version: 1 }, mark };
};

export const agentVersions: Rows = {
  listVersions: {
    access: "jwt",
    cases: { it: { ask: version, answers: from("viewer", { good: "with it" }) } },
  },
  diffVersions: {
    access: "jwt",
    cases: {
      it: {
        ask: async (world) => ({
          ...(await version(world)),
          query: { from: "1", to: "2" },
        }),
        answers: from("viewer"),
      },
    },
  },
  getVersion: {
    access: "jwt",
    cases: { it: { ask: version, answers: from("viewer", { good: "with it" }) } },
  },
  restoreVersion: {
    access: "jwt",
    cases: { it: { ask: version, answers: from("editor") } },
  },
};

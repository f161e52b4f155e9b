import { administrators, alike, from, type Rows, services } from "../row.ts";
import { agent, type World } from "../world.ts";

const label = (world: World) =>
  world.as("admin", "POST", "/api/v1/labels", { name: world.word() });
const one = async (world: World) => ({ params: { id: (await label(world)).id } });
const onAgent = async (world: World) => ({
  params: { resourceType: "agent", resourceId: (await agent(world)).id },
});

/** Labels are of an organisation; owners and administrators put them on resources. */
export const labels: Rows = {
  listLabels: {
    access: "jwt",
    cases: {
      it: {
        ask: async (world) => ({
          query: { limit: "100" },
          mark: (await label(world)).id,
        }),
        answers: {
          ...alike("with it"),
          foreigner: "without it",
          foreignAdmin: "without it",
        },
        once: true,
      },
    },
  },
  createLabel: {
    access: "admin",
    cases: {
      it: {
        ask: (world) => ({ body: { name: world.word() } }),
        answers: administrators(),
        once: true,
      },
    },
  },
  changeLabel: {
    access: "admin",
    cases: {
      it: {
        ask: async (world) => ({ ...(await one(world)), body: { description: "d" } }),
        answers: administrators("yes", 404),
      },
    },
  },
  deleteLabel: {
    access: "admin",
    cases: { it: { ask: one, answers: administrators("yes", 404), once: true } },
  },
  labelsOn: {
    access: "jwt",
    cases: { it: { ask: onAgent, answers: { ...from("viewer"), admin: "yes" } } },
  },
  setLabels: {
    access: "jwt",
    cases: {
      it: {
        ask: async (world) => ({
          ...(await onAgent(world)),
          body: { labelIds: [(await label(world)).id] },
        }),
        answers: { ...from("owner"), admin: "yes" },
        once: true,
      },
    },
  },
  labelsInUse: {
    access: "user-secret",
    cases: { it: { ask: () => ({}), answers: services } },
  },
  labelsOf: {
    access: "user-secret",
    cases: {
      it: {
        ask: async (world) => ({
          body: {
            resources: [(await onAgent(world)).params],
            labelIds: [(await label(world)).id],
            userId: world.people.owner.id,
          },
        }),
        answers: services,
      },
    },
  },
  carryLabels: {
    access: "user-secret",
    cases: {
      it: {
        ask: async (world) => ({
          body: {
            resource: {
              resourceType: "conversation",
              resourceId: world.word(),
              ownerId: world.people.owner.id,
            },
            labelIds: [(await label(world)).id],
          },
        }),
        answers: services,
      },
    },
  },
};

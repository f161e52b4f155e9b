import {
  administrators,
  alike,
  operators,
  ownerAlone,
  type Rows,
  services,
} from "../row.ts";
import { user, type World } from "../world.ts";

/** Roles and the audit log. */

const one = async (world: World) => ({ params: { id: (await user(world)).id } });
const role = async (world: World) => {
  const name = world.word();
  await world.as("admin", "POST", "/api/v1/roles", { name, permissions: [] });
  return name;
};
const oneRole = async (world: World) => ({ params: { name: await role(world) } });

export const roles: Rows = {
  listPermissions: { access: "jwt", cases: { it: { ask: () => ({}), answers: alike() } } },
  explainPermissions: {
    access: "admin",
    cases: { it: { ask: one, answers: administrators("yes", 404) } },
  },
  rolesOfUser: {
    access: ["user-secret", "jwt"],
    cases: {
      it: {
        ask: ({ people }) => ({ params: { userId: people.owner.id } }),
        answers: { ...ownerAlone(), admin: "yes" },
      },
    },
  },
  rolesOfGroups: {
    access: "user-secret",
    cases: {
      it: {
        ask: ({ people }) => ({
          body: { userId: people.owner.id, clientId: "default", roles: ["user"] },
        }),
        answers: services,
      },
    },
  },
  rolePermissions: {
    access: ["user-secret", "jwt"],
    cases: { it: { ask: () => ({ body: { roles: ["user"] } }), answers: alike() } },
  },
  listRoles: {
    access: "admin",
    cases: { it: { ask: () => ({}), answers: administrators() } },
  },
  createRole: {
    access: "operator",
    cases: {
      it: {
        ask: (world) => ({ body: { name: world.word(), permissions: [] } }),
        answers: operators(),
        once: true,
      },
    },
  },
  getRole: { access: "admin", cases: { it: { ask: oneRole, answers: administrators() } } },
  changeRole: {
    access: "operator",
    cases: {
      it: {
        ask: async (world) => ({ ...(await oneRole(world)), body: { description: "d" } }),
        answers: operators(),
      },
    },
  },
  deleteRole: {
    access: "operator",
    cases: { it: { ask: oneRole, answers: operators(), once: true } },
  },
  listAudit: {
    access: "admin",
    cases: { it: { ask: () => ({}), answers: administrators() } },
  },
  exportAudit: {
    access: "admin",
    cases: { it: { ask: () => ({}), answers: administrators() } },
  },
  recordAudit: {
    access: "user-secret",
    cases: {
      it: {
        ask: ({ people }) => ({
          body: {
            actorId: people.owner.id,
            action: "test.done",
            resourceType: "test",
            resourceId: "1",
          },
        }),
        answers: services,
      },
    },
  },
};

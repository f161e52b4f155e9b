import { administrators, type Case, type Rows } from "../row.ts";
import type { World } from "../world.ts";

const group = (world: World) =>
  world.as("admin", "POST", "/api/v1/groups", { name: world.word() });
const one = async (world: World) => ({ params: { id: (await group(world)).id } });
const withMember = async (world: World) => {
  const [{ id }, userId] = [await group(world), world.people.owner.id];
  await world.as("admin", "PUT", `/api/v1/groups/${id}/members/${userId}`);
  return { params: { id, userId } };
};
const nested = async (world: World) => {
  const [{ id }, { id: groupId }] = [await group(world), await group(world)];
  await world.as("admin", "PUT", `/api/v1/groups/${id}/groups/${groupId}`);
  return { params: { id, groupId } };
};
const administrator = (ask: Case["ask"], once?: true): { it: Case } => ({
  it: { ask, answers: administrators("yes", 404), ...(once && { once }) },
});
/** What administrators do in their own tenant. */
const inOwnTenant = (ask: Case["ask"], once?: true): { it: Case } => ({
  it: { ask, answers: administrators(), ...(once && { once }) },
});

export const groups: Rows = {
  listGroups: { access: "admin", cases: inOwnTenant(() => ({})) },
  createGroup: {
    access: "admin",
    cases: inOwnTenant((world) => ({ body: { name: world.word() } }), true),
  },
  getGroup: { access: ["admin", "user-secret"], cases: administrator(one) },
  changeGroup: {
    access: "admin",
    cases: administrator(async (world) => ({
      ...(await one(world)),
      body: { description: "d" },
    })),
  },
  deleteGroup: { access: "admin", cases: administrator(one, true) },
  listMembers: { access: ["admin", "user-secret"], cases: administrator(one) },
  addMember: {
    access: "admin",
    cases: administrator(async (world) => ({
      params: { id: (await group(world)).id, userId: world.people.owner.id },
    })),
  },
  removeMember: { access: "admin", cases: administrator(withMember, true) },
  listNested: { access: "admin", cases: administrator(one) },
  nestGroup: {
    access: "admin",
    cases: administrator(async (world) => ({
      params: { id: (await group(world)).id, groupId: (await group(world)).id },
    })),
  },
  unnestGroup: { access: "admin", cases: administrator(nested, true) },
};

import { type Case, operators, type Rows, services } from "../row.ts";
import type { World } from "../world.ts";

/** Search engines are the operator's; only the web service reads their keys. */

const KEY = "key-of-a-search-engine-0123456789";
const PATH = "/api/v1/search-engines";
const BODY = { kind: "kagi", enabled: false, config: { apiKey: KEY } };

const listed = (world: World) =>
  world.as<{ items: { id: string }[] }>("admin", "GET", PATH);
/** One more. Where there are many, they are removed first. */
const engine = async (world: World) => {
  const { items } = await listed(world);
  if (items.length > 10)
    for (const { id } of items) await world.as("admin", "DELETE", `${PATH}/${id}`);
  return (await world.as("admin", "POST", PATH, BODY)).id;
};
const administrator = (ask: Case["ask"], once?: true): { it: Case } => ({
  it: { ask, answers: operators(), ...(once && { once }) },
});
const one = async (world: World) => ({ params: { id: await engine(world) } });

export const searchEngines: Rows = {
  listSearchEngines: {
    access: "operator",
    cases: administrator(async (world) => {
      await engine(world);
      return { mark: KEY };
    }),
  },
  listSearchEngineKinds: { access: "operator", cases: administrator(() => ({})) },
  createSearchEngine: {
    access: "operator",
    cases: administrator(async (world) => {
      await engine(world);
      return { body: BODY };
    }),
  },
  testNewSearchEngine: {
    access: "operator",
    cases: administrator(async (world) => ({
      body: {
        kind: "searxng",
        id: await engine(world),
        config: { baseUrl: "http://127.0.0.1:9" },
      },
    })),
  },
  orderSearchEngines: {
    access: "operator",
    cases: administrator(async (world) => {
      await engine(world);
      const { items } = await listed(world);
      return { body: { ids: items.map(({ id }) => id) } };
    }),
  },
  changeSearchEngine: {
    access: "operator",
    cases: administrator(async (world) => ({
      ...(await one(world)),
      body: { name: "E" },
    })),
  },
  deleteSearchEngine: { access: "operator", cases: administrator(one, true) },
  testSearchEngine: {
    access: "operator",
    cases: administrator(async (world) => {
      const added = await world.as("admin", "POST", PATH, {
        kind: "searxng",
        enabled: false,
        config: { baseUrl: "http://127.0.0.1:9" },
      });
      return { params: { id: added.id }, body: {} };
    }),
  },
  storedSearchEngines: {
    access: "service-secret",
    cases: { it: { ask: () => ({}), answers: services } },
  },
};

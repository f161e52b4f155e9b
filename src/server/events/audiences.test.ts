import { expect, test } from "vitest";
import { type AnyRoute, waysInto } from "../../platform/http/route.ts";
import { loadContracts } from "../load-contracts.ts";
import { AUDIENCES } from "./audiences.ts";
import { changesOf } from "./publish-declared-changes.ts";

/** The route that reads each kind. `app` is public. */
const READERS: Record<string, string> = {
  user: "listUsers",
  group: "listGroups",
  role: "listRoles",
  lock: "listLocks",
  provider: "listAllProviders",
  label: "listLabels",
  model: "listAllAvailableModels",
  flow: "listFlows",
  "embedding-model": "embedModel",
  "tool-server": "listToolServers",
  "search-engine": "listSearchEngines",
  budget: "listBudgets",
  queue: "queues",
};

/** They answer a question, and change nothing. Pages that make them to read would do so forever. */
const QUESTIONS = [
  "testNewProvider",
  "testProvider",
  "testServer",
  "connectForAll", // where to sign in; what changes follows with `completeConnection`
  "testNewSearchEngine",
  "testSearchEngine",
  "testModel",
  "previewChunks",
  "fillTemplate",
  "templatesByIds",
  "validateAvailableModels",
  "availableModelsByIds",
  "checkAccess",
  "checkAccessBatch",
];

async function allRoutes(): Promise<[name: string, route: AnyRoute][]> {
  const contracts = await loadContracts();
  return contracts.flatMap(({ contract }) => Object.entries(contract));
}

test("a kind is announced to those who may read it", async () => {
  const routes = new Map(await allRoutes());
  const { app, ...read } = AUDIENCES;
  expect(app).toEqual({ access: "everybody" });
  expect(Object.keys(read).toSorted()).toEqual(Object.keys(READERS).toSorted());
  for (const [type, { access, permission }] of Object.entries(read)) {
    const route = routes.get(READERS[type] ?? "");
    const ways = route && waysInto(route);
    const way = access === "everybody" ? "jwt" : access;
    expect([type, permission, ways]).toEqual([
      type,
      route?.permission,
      expect.arrayContaining([way]),
    ]);
  }
});

test("whatever an administrator changes is announced", async () => {
  const silent = (await allRoutes()).flatMap(([name, route]) => {
    const ways = waysInto(route);
    const isForAdmins = ways.includes("admin") || ways.includes("operator");
    if (!isForAdmins || route.method === "get" || QUESTIONS.includes(name)) return [];
    return changesOf(route, {}).some(({ type }) => AUDIENCES[type]) ? [] : [name];
  });
  expect(silent).toEqual([]);
});

test("what only answers a question announces nothing", async () => {
  const routes = new Map(await allRoutes());
  for (const name of QUESTIONS) {
    const route = routes.get(name);
    expect(route, name).toBeDefined();
    expect([name, route && changesOf(route, {})]).toEqual([name, []]);
  }
});

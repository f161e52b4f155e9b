import { afterAll, beforeAll, expect, test } from "vitest";
import type { AnyRoute } from "../../src/platform/http/route.ts";
import { QUEUES } from "../../src/server/queues.ts";
import { SERVICES } from "../../src/server/services.ts";
import { loadContracts } from "../../src/server/load-contracts.ts";
import { permissionsContract } from "../../src/services/integrations/contract-permissions.ts";
import { AUDIT_ACTIONS } from "../../src/services/users/contract-audit.ts";
import { usersContract } from "../../src/services/users/contract.ts";
import { SYSTEM_AGENTS } from "../../src/services/core/agents/system-agents.ts";
import { TOOLSETS } from "../../src/services/core/tools/toolsets.ts";
import { type TestServer, startTestServer } from "../../test/support/server.ts";
import { en as auditTexts } from "../src/admin/audit/texts.en.ts";
import { en as parsingTexts } from "../src/admin/parsing/texts.en.ts";
import { en as queueTexts } from "../src/admin/queues/texts.en.ts";
import { en as systemTexts } from "../src/admin/system/texts.en.ts";
import { en as agentTexts } from "../src/agents/texts.en.ts";
import { builtInAgentsDe } from "../src/texts/built-in-agents.de.ts";

/**
 * What the server names by a word of its own, such as a job, the app says in every language. German
 * has the same texts as English: the compiler compares them.
 */
let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({
    FLOWENGINE_BASE_URL: "http://127.0.0.1:9",
    FLOWENGINE_ADMIN_API_KEY: "a key of a superuser",
  });
});
afterAll(() => server[Symbol.asyncDispose]());

const read = async (path: string) =>
  (await (await server.request(path)).json()) as Record<string, unknown>;

test("every job and part of the health page has a text", async () => {
  const { jobs, checks } = await read("/api/v1/health");
  const names = (jobs as { name: string }[]).map(({ name }) => name);
  expect(names).toContain("check-flowengine");
  expect(Object.keys(systemTexts.jobNames)).toEqual(
    expect.arrayContaining([...new Set(names)]),
  );
  expect(Object.keys(systemTexts.names)).toEqual(
    expect.arrayContaining(Object.keys(checks ?? {})),
  );
});

test("every service has a text", () => {
  expect(Object.keys(systemTexts.serviceNames).toSorted()).toEqual(
    Object.keys(SERVICES).toSorted(),
  );
});

test("every reader of files has a text", async () => {
  const { backends, ocr, captions } = await read("/api/v1/parser/info");
  const readers = [backends, ocr, captions].flat() as { key: string }[];
  expect(Object.keys(parsingTexts.names)).toEqual(
    expect.arrayContaining(readers.map(({ key }) => key)),
  );
});

test("every toolset has a text", () => {
  expect(Object.keys(agentTexts.toolsets).toSorted()).toEqual(
    TOOLSETS.map(({ name }) => name).toSorted(),
  );
});

test("every queue has a text", () => {
  expect(Object.keys(queueTexts.names).toSorted()).toEqual(QUEUES);
});

test("every action of the audit log has a text, also those named after a route", async () => {
  expect(Object.keys(auditTexts.actions).toSorted()).toEqual(AUDIT_ACTIONS.toSorted());
  expect(AUDIT_ACTIONS).toEqual(expect.arrayContaining(await actionsOfRoutes()));
});

test("every route that the audit log names by its path has words", async () => {
  const routes = await recordedRoutes();
  expect(Object.keys(auditTexts.routes).toSorted()).toEqual(
    routes.map(({ method, path }) => `${VERBS[method]} ${path}`).toSorted(),
  );
});

const VERBS = {
  get: "",
  post: "create",
  put: "update",
  patch: "update",
  delete: "delete",
};

/** What the audit log records of the routes for administrators. */
async function actionsOfRoutes(): Promise<string[]> {
  return (await recordedRoutes()).map(
    ({ permission, method }) => `${permission?.split(":")[0]}.${VERBS[method]}`,
  );
}

async function recordedRoutes(): Promise<AnyRoute[]> {
  const recordedByService: readonly unknown[] = [
    usersContract,
    permissionsContract,
  ].flatMap((contract) => Object.values(contract));
  const routes = (await loadContracts())
    .flatMap(({ contract }): AnyRoute[] => Object.values(contract))
    .filter(({ access }) => [access].flat().some((one) => /admin|operator/.test(one)))
    .filter((route) => route.method !== "get" && !recordedByService.includes(route));
  expect(routes.length).toBeGreaterThan(20);
  return routes;
}

test("every built-in agent has a German name, description and starters, and only those", () => {
  expect(Object.keys(builtInAgentsDe).toSorted()).toEqual(
    SYSTEM_AGENTS.map(({ id }) => id).toSorted(),
  );
  for (const { id, definition } of SYSTEM_AGENTS) {
    const { name, description, starters = [] } = definition;
    const german = builtInAgentsDe[id];
    expect(german?.name, name).not.toBe(name);
    expect(german?.description, name).not.toBe(description);
    expect(german?.starters.length, name).toBe(starters.length);
    for (const starter of starters) expect(german?.starters).not.toContain(starter);
  }
});

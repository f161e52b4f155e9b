import { afterAll, beforeAll, expect, test } from "vitest";
import type { AnyRoute } from "../src/platform/http/route.ts";
import { coreContract } from "../src/services/core/contract.ts";
import { type TestServer, startTestServer } from "./support/server.ts";

/** Tests every route of the core: invalid requests are refused before they have any effect. */

const ABSENT = "01a1fb8b-2522-72b4-a6e7-60a70d8e06b0";
let parlance: TestServer;
beforeAll(async () => {
  parlance = await startTestServer();
});
afterAll(() => parlance[Symbol.asyncDispose]());

// the OpenAI-compatible API reports errors in OpenAI's format
const routes: AnyRoute[] = Object.values<AnyRoute>(coreContract).filter(({ path }) =>
  path.startsWith("/api/"),
);
const fieldsOf = (schema: unknown): string[] =>
  typeof schema === "object" && schema !== null && "shape" in schema
    ? Object.keys(schema.shape as object)
    : []; // of a zod object
const forUsers = (route: AnyRoute) =>
  [route.access].flat().some((way) => way === "jwt" || way === "admin");
const pathOf = (route: AnyRoute, id = ABSENT) =>
  route.path.replace(":version", "1").replace(/:\w+/g, id);
const ask = (
  route: AnyRoute,
  path: string,
  options: { raw?: string; type?: string } = {},
) =>
  fetch(parlance.url + path, {
    method: route.method.toUpperCase(),
    headers: {
      authorization: `Bearer ${parlance.token}`,
      ...(options.raw !== undefined && {
        "content-type": options.type ?? "application/json",
      }),
    },
    ...(options.raw !== undefined && { body: options.raw }),
  });
const outcome = async (response: Response) => {
  const { code } = (await response.json()) as { code?: string };
  return [response.status, code];
};

const paged = routes.filter(
  (route) => forUsers(route) && fieldsOf(route.query).includes("limit"),
);
test.each(paged.map((route) => [`${route.method} ${route.path}`, route] as const))(
  "%s pages from 1, or from a cursor, at most 100 at once",
  async (_, route) => {
    const isNumbered = fieldsOf(route.query).includes("page");
    const pages = isNumbered ? ["page=0", "page=-1", "page=1.5"] : [];
    for (const query of ["limit=0", "limit=101", "limit=x", ...pages])
      expect([
        query,
        ...(await outcome(await ask(route, `${pathOf(route)}?${query}`))),
      ]).toEqual([query, 400, "validation_failed"]);
    const response = await ask(route, `${pathOf(route)}?limit=100&page=1`);
    expect([200, 404]).toContain(response.status);
    if (response.status === 200 && isNumbered)
      expect(await response.json()).toMatchObject({
        page: 1,
        limit: 100,
        items: expect.any(Array),
      });
  },
);

const withBody = routes.filter((route) => forUsers(route) && route.body);
test.each(withBody.map((route) => [`${route.method} ${route.path}`, route] as const))(
  "%s refuses what is no body of its own",
  async (_, route) => {
    for (const raw of ["7", '"text"', "[]", "null"])
      expect([raw, ...(await outcome(await ask(route, pathOf(route), { raw })))]).toEqual([
        raw,
        400,
        "validation_failed",
      ]);
    expect(await outcome(await ask(route, pathOf(route), { raw: "{" }))).toEqual([
      400,
      "json_invalid",
    ]);
    expect(
      (await ask(route, pathOf(route), { raw: "{}", type: "text/plain" })).status,
    ).toBe(415);
  },
);

const one = routes.filter(
  (route) =>
    forUsers(route) && /\/:\w*[iI]d\b/.test(route.path) && !route.body && !route.query,
);
test.each(one.map((route) => [`${route.method} ${route.path}`, route] as const))(
  "%s knows nothing of an absent id",
  async (_, route) => {
    expect((await ask(route, pathOf(route))).status).toBe(404);
    expect([400, 404]).toContain((await ask(route, pathOf(route, "%27%3B--"))).status);
  },
);

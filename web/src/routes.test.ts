import { QueryClient } from "@tanstack/react-query";
import { expect, test } from "vitest";
import { createAppRouter } from "./routes.ts";
import { type FilledIds, pagesOf } from "../test/pages.ts";

/** Pages that no walk opens by its address, each with the reason. */
const NOT_VISITED: Record<string, string> = {
  "/new-password": "it needs a session that has just signed in with a temporary password",
  "/connections/callback/$issuer": "it needs the answer of an authorization server",
  "/oauth/authorize": "it needs the request of a client",
  "/admin/queues/$name": "its queue has a dead letter in live-administration.walk.ts alone",
};

/** An id of anything. */
const IDS = new Proxy({} as FilledIds, {
  get: () => "11111111-1111-7111-8111-111111111111",
});

/** The pages of the app: what has a page below it shows that one. */
function listPages(): string[] {
  const { routesByPath } = createAppRouter(new QueryClient());
  return Object.values(routesByPath)
    .filter((route) => route.options.component !== undefined)
    .map((route) => route.fullPath.replace(/(.)\/$/, "$1"))
    .filter((path) => !path.endsWith("/$"));
}

test("the walks of all pages visit every page, or there is a reason why not", () => {
  const visited = pagesOf(IDS).map(({ path }) => path.split("?")[0] ?? "");
  const missing = listPages().filter((path) => {
    const pattern = new RegExp(`^${path.replace(/\$\w+/g, "[^/]+")}$`);
    return !visited.some((one) => pattern.test(one)) && !(path in NOT_VISITED);
  });
  expect(missing).toEqual([]);
});

test("nothing is excused that is gone", () => {
  const pages = listPages();
  expect(Object.keys(NOT_VISITED).filter((path) => !pages.includes(path))).toEqual([]);
});

import { expect, test } from "vitest";
import type { Changes } from "../platform/changes/contract-changes.ts";
import {
  type Access,
  type AnyRoute,
  type Contract,
  route,
} from "../platform/http/route.ts";
import { checkContracts } from "./check-contracts.ts";

const contractWith = (
  access: Access | readonly Access[],
  permission?: `${string}:${string}`,
) =>
  ({
    one: route({
      method: "get",
      path: "/one",
      access,
      summary: "One",
      ...(permission && { permission }),
    }),
  }) satisfies Contract;
const check = (contract: Contract) => () => checkContracts([{ name: "core", contract }]);

test("a route that users may call stops the start unless it names a permission", () => {
  const ways: Access[] = [
    "jwt",
    "session",
    "key",
    "flow-key",
    "admin",
    "agent-jwt",
    "internal",
  ];
  for (const way of ways)
    expect(check(contractWith(way))).toThrow("core.one (get /one) may be called by users");
  expect(check(contractWith(["service-secret", "jwt"]))).toThrow("names no permission");
  expect(check(contractWith("jwt", "conversation:read"))).not.toThrow();
});

test("a permission that is not in the list stops the start", () => {
  expect(check(contractWith("jwt", "conversation:reed"))).toThrow('"conversation:reed"');
});

test("public routes and routes for services need no permission", () => {
  for (const way of ["public", "service-secret", "user-secret"] as const)
    expect(check(contractWith(way))).not.toThrow();
});

const writing = (changes: unknown, access: Access = "jwt"): Contract => {
  const one: AnyRoute = {
    method: "post",
    path: "/things/:id",
    access,
    summary: "One",
    ...(access === "jwt" && { permission: "signed-in" }),
    changes: changes as Changes,
  };
  return { one };
};

test("a route that may write stops the start unless it says what it changes", () => {
  expect(check(writing(undefined))).toThrow("core.one (post /things/:id) may write");
  for (const changes of ["none", "agent", "agent/:id", ["agent/:id", "share"]])
    expect(check(writing(changes))).not.toThrow();
});

test("a change of an unknown type, or named by a parameter that the path lacks, stops the start", () => {
  expect(check(writing("agents"))).toThrow('"agents", which is no type');
  expect(check(writing("agent/:agentId"))).toThrow(":agentId, which is not in its path");
});

test("a route that no user calls announces nothing", () => {
  expect(check(writing("agent", "service-secret"))).toThrow('use "none"');
  expect(check(writing("none", "service-secret"))).not.toThrow();
});

import { expect, test } from "vitest";
import { type Access, type Contract, route } from "../platform/http/route.ts";
import { checkPermissions } from "./check-permissions.ts";

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
const check = (contract: Contract) => () => checkPermissions([{ name: "core", contract }]);

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

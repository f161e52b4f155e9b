import { expect, test } from "vitest";
import { type Access, type Contract, route } from "../platform/http/route.ts";
import { checkPermissions } from "./check-permissions.ts";

const contract = (access: Access | readonly Access[], permission?: `${string}:${string}`) =>
  ({
    one: route({
      method: "get",
      path: "/one",
      access,
      summary: "One",
      ...(permission && { permission }),
    }),
  }) satisfies Contract;
const check = (of: Contract) => () => checkPermissions([{ name: "core", contract: of }]);

test("a route that users may call stops the start unless it names a permission", () => {
  const ways: Access[] = ["jwt", "session", "key", "flow-key", "admin", "agent-jwt", "internal"];
  for (const way of ways)
    expect(check(contract(way))).toThrow("core.one (get /one) may be called by users");
  expect(check(contract(["service-secret", "jwt"]))).toThrow("names no permission");
  expect(check(contract("jwt", "conversation:read"))).not.toThrow();
});

test("a permission that is not in the list stops the start", () => {
  expect(check(contract("jwt", "conversation:reed"))).toThrow('"conversation:reed"');
});

test("routes of services and of everybody need no permission", () => {
  for (const way of ["public", "service-secret", "user-secret"] as const)
    expect(check(contract(way))).not.toThrow();
});

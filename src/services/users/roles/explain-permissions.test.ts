import { expect, test } from "vitest";
import { explainPermissions } from "./explain-permissions.ts";

const explain = (name: string, ...roles: Parameters<typeof explainPermissions>[0]) =>
  explainPermissions(roles).find((permission) => permission.name === name);

const everyday = { name: "user", permissions: [{ action: "manage", subject: "all" }] };

test("a permission names the role that grants it", () => {
  const reader = { name: "reader", permissions: [{ action: "read", subject: "all" }] };
  expect(explain("agent:read", reader)).toMatchObject({
    allowed: "yes",
    grantedBy: [{ role: "reader" }],
  });
  expect(explain("agent:delete", reader)).toMatchObject({ allowed: "no", grantedBy: [] });
});

test("`manage` does not grant what is administrative, and forbids it", () => {
  const noUsers = {
    name: "limited",
    permissions: [
      { action: "administer", subject: "user" },
      { action: "manage", subject: "user", inverted: true },
    ],
  };
  expect(explain("user:administer", everyday)).toMatchObject({
    allowed: "no",
    grantedBy: [],
  });
  expect(explain("user:administer", noUsers)).toMatchObject({
    allowed: "no",
    grantedBy: [{ role: "limited" }],
    forbiddenBy: [{ role: "limited" }],
  });
});

test("a role that forbids overrules one that grants", () => {
  const careful = {
    name: "careful",
    permissions: [{ action: "delete", subject: "document", inverted: true }],
  };
  expect(explain("document:delete", everyday, careful)).toMatchObject({
    allowed: "no",
    grantedBy: [{ role: "user" }],
    forbiddenBy: [{ role: "careful" }],
  });
});

test("with conditions it depends on the request", () => {
  const conditions = { model: { $in: ["openai/gpt-5"] } };
  const one = {
    name: "one-model",
    permissions: [{ action: "use", subject: "model", conditions }],
  };
  const forbids = {
    name: "not-one",
    permissions: [{ action: "use", subject: "model", conditions, inverted: true }],
  };
  expect(explain("model:use", one)).toMatchObject({
    allowed: "conditional",
    grantedBy: [{ role: "one-model", conditions }],
  });
  expect(explain("model:use", one, everyday)?.allowed).toBe("yes");
  expect(explain("model:use", everyday, forbids)?.allowed).toBe("conditional");
});

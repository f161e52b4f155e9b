import { expect, test } from "vitest";
import {
  fillTemplates,
  headerTemplatesOf,
  MAX_SECRETS,
  secretPlaces,
  withoutTemplates,
  wrongTemplateIn,
} from "./header-templates.ts";

test("headers with places are taken apart from those that are the same for everybody", () => {
  const headers = {
    authorization: "Bearer {{secret.token}}",
    "x-user": "{{user.id}} {{user.email}}",
    "x-tenant": "acme",
  };
  const found = headerTemplatesOf({ headers });
  expect(found).toEqual({
    templates: { authorization: headers.authorization, "x-user": headers["x-user"] },
    secrets: ["token"],
    usesEmail: true,
  });
  const server = { name: "one", url: "https://tools.example", enabled: true, headers };
  expect(withoutTemplates(server).headers).toEqual({ "x-tenant": "acme" });
  const values = { "user.id": "ada", "user.email": "ada@acme.example" };
  expect(
    found && fillTemplates(found, { ...values, ...secretPlaces({ token: "t" }) }),
  ).toEqual({ authorization: "Bearer t", "x-user": "ada ada@acme.example" });
});

test("a value cannot begin another header, and is filled in once", () => {
  const found = headerTemplatesOf({ headers: { "x-user": "{{user.id}}" } });
  const filled = found && fillTemplates(found, { "user.id": "ä\r\nx: {{user.email}}" });
  expect(filled).toEqual({ "x-user": "%C3%A4%0D%0Ax: {{user.email}}" });
});

test.each([
  "{{user}}",
  "{{user.name}}",
  "{{secret.}}",
  "{{secret.Upper}}",
  "{{env.KEY}}",
  "{{ user.id }}",
  "${HOME}",
  "{{user.id}} {{else}}",
])("nothing fills %s", (value) => {
  expect(wrongTemplateIn({ headers: { "x-a": "plain", "x-b": value } })).toBe("x-b");
});

test("a server asks each user for a bounded number of values", () => {
  const headersOf = (count: number) =>
    Object.fromEntries(
      Array.from({ length: count }, (_, at) => [`x-${at}`, `{{secret.s${at}}}`]),
    );
  expect(wrongTemplateIn({ headers: headersOf(MAX_SECRETS) })).toBeUndefined();
  expect(wrongTemplateIn({ headers: headersOf(MAX_SECRETS + 1) })).toBe("x-10");
});

import { describe, expect, test } from "vitest";
import { GROUP, USER } from "./attributes.ts";
import { applyChanges, type Operation, readOperations } from "./patch.ts";

const ADA = {
  userName: "ada@example.com",
  name: { givenName: "Ada", familyName: "Byron" },
  emails: [
    { value: "ada@work.example", type: "work", primary: true },
    { value: "ada@home.example", type: "home" },
  ],
  active: true,
};
const after = (...operations: Operation[]) =>
  applyChanges(ADA, readOperations(USER, operations));

test("a part of a complex attribute is set, and the rest stays", () => {
  const { name } = after({ op: "replace", path: "NAME.familyname", value: "Lovelace" });
  expect(name).toEqual({ givenName: "Ada", familyName: "Lovelace" });
  const { name: without } = after({ op: "remove", path: "name.givenName" });
  expect(without).toEqual({ familyName: "Byron" });
});

test("a value of a list is changed by a filter, or made where none fits", () => {
  const path = (type: string) => `emails[type eq "${type}"].value`;
  const { emails } = after({ op: "replace", path: path("home"), value: "a@home.example" });
  expect(emails).toEqual([ADA.emails[0], { value: "a@home.example", type: "home" }]);
  const { emails: more } = after({ op: "add", path: path("other"), value: "a@o.example" });
  expect(more).toEqual([...ADA.emails, { value: "a@o.example", type: "other" }]);
});

test("a new primary value takes the place of the old one", () => {
  const value = [{ value: "new@work.example", primary: "True" }];
  expect(after({ op: "add", path: "emails", value })["emails"]).toEqual([
    { value: "ada@work.example", type: "work", primary: false },
    { value: "ada@home.example", type: "home" },
    { value: "new@work.example", primary: true },
  ]);
});

test("values are removed by a filter, all of them by the attribute", () => {
  const left = after({ op: "remove", path: 'emails[value co "HOME"]' });
  expect(left["emails"]).toEqual([ADA.emails[0]]);
  expect(after({ op: "remove", path: "emails" })).not.toHaveProperty("emails");
});

test("what is not kept is passed over, and what does not exist is refused", () => {
  const department =
    "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department";
  expect(after({ op: "add", path: department, value: "Engines" })).toEqual(ADA);
  expect(
    after({ op: "add", path: 'addresses[type eq "work"].locality', value: "x" }),
  ).toEqual(ADA);
  expect(() => after({ op: "add", path: "shoeSize", value: "9" })).toThrow("shoeSize");
  expect(() => after({ op: "move", path: "active", value: true })).toThrow("op");
});

test("the resource that is given stays as it is", () => {
  const before = structuredClone(ADA);
  after({ op: "replace", value: { active: false, "name.givenName": "A." } });
  expect(ADA).toEqual(before);
});

describe("what one request may cost", () => {
  const emails = (count: number, from = 0) =>
    Array.from({ length: count }, (_, one) => ({ value: `m${from + one}@work.example` }));
  const refused = (...operations: Operation[]) =>
    expect(() => readOperations(USER, operations)).toThrow(
      expect.objectContaining({ status: 400 }),
    );

  test("more values than an attribute takes are refused before anything is changed", () => {
    refused({ op: "add", path: "emails", value: emails(21) });
    refused({ op: "replace", value: { emails: emails(21) } });
    refused({ op: "add", path: 'emails[type eq "work"]', value: emails(21) });
  });

  test("values that add up to too many are refused", () => {
    const whole = (value: object[]) => ({ op: "add", path: "emails", value });
    expect(after(whole(emails(18)))["emails"]).toHaveLength(20);
    expect(() => after(whole(emails(19)))).toThrow("more than 20");
    expect(() => after(whole(emails(15)), whole(emails(15, 15)))).toThrow("more than 20");
    const made = emails(19).map(({ value }) => ({
      op: "add",
      path: `emails[value eq "${value}"].type`,
      value: "other",
    }));
    expect(() => after(...made)).toThrow("more than 20");
  });

  test("too many changes of a user are refused, also as the keys of objects", () => {
    const keys = Array.from({ length: 101 }, (_, key) => [
      `emails[type eq "${key}"].value`,
      "x",
    ]);
    const value = Object.fromEntries(keys) as object;
    refused({ op: "add", value }, { op: "add", value });
  });

  test("too many terms of a filter in a path are refused, but not for members", () => {
    const path = (name: string, terms: number) =>
      `${name}[${Array.from({ length: terms }, (_, n) => `value eq "${n}"`).join(" or ")}]`;
    refused({ op: "remove", path: path("emails", 21) });
    const operations = [{ op: "remove", path: path("members", 100) }];
    expect(readOperations(GROUP, operations)).toHaveLength(1);
  });
});

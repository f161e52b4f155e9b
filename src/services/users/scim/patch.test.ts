import { expect, test } from "vitest";
import { USER } from "./attributes.ts";
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

import { expect, test } from "vitest";
import { createStateSeal } from "./request-state.ts";

const seal = createStateSeal("a secret");
const of = { caller: "ada", server: "one", method: "tools/call", target: "greet" };
const sealed = seal.seal(of, "their.state");

test("the state of a server comes back as it was, on every replica", () => {
  expect(seal.open(of, sealed)).toBe("their.state");
  expect(createStateSeal("a secret").open(of, sealed)).toBe("their.state");
});

test.each([
  ["of another user", { ...of, caller: "bob" }, sealed],
  ["of another server", { ...of, server: "two" }, sealed],
  ["of another tool", { ...of, target: "delete" }, sealed],
  ["of a prompt", { ...of, method: "prompts/get" }, sealed],
  ["with something added", of, `${sealed}-TAMPERED`],
  ["with another signature", of, `x${sealed}`],
  ["without a signature", of, "their.state"],
  ["of nothing", of, ""],
])("a state %s is refused", (_, key, given) => {
  expect(() => seal.open(key, given)).toThrow("does not belong to this request");
});

test("a state of another installation is refused", () => {
  expect(() => createStateSeal("another").open(of, sealed)).toThrow("does not belong");
  expect(() => createStateSeal("").open(of, sealed)).toThrow("does not belong");
});

import { expect, test } from "vitest";
import { effectOf, outcomeOf, toggleRule, verdictOf, withEffect } from "./rules.ts";

const everything = { action: "manage", subject: "all" };

test("a rule about everything grants all but what is administrative", () => {
  expect(outcomeOf([everything], "agent:delete")).toBe("yes");
  expect(outcomeOf([everything], "user:administer")).toBe("no");
});

test("what is forbidden overrules what is allowed, and may be taken back", () => {
  const rules = withEffect([everything], "agent:delete", "forbid");
  expect(effectOf(rules, "agent:delete")).toBe("forbid");
  expect(outcomeOf(rules, "agent:delete")).toBe("no");
  expect(withEffect(rules, "agent:delete", "none")).toEqual([everything]);
});

test("a prohibition of a role differs from a permission that it leaves to other roles", () => {
  const forbids = withEffect([], "agent:delete", "forbid");
  expect(verdictOf(forbids, "agent:delete")).toBe("forbidden");
  expect(verdictOf(forbids, "agent:read")).toBe("no");
  const sometimes = withEffect([everything], "agent:delete", "forbid", { name: "x" });
  expect(verdictOf(sometimes, "agent:delete")).toBe("conditional");
});

test("conditions make a permission depend on the request", () => {
  const rules = withEffect([], "model:use", "allow", { model: "openai/gpt-5" });
  expect(outcomeOf(rules, "model:use")).toBe("conditional");
  expect(effectOf([...rules, ...rules], "model:use")).toBe("several");
});

test("a rule is added and taken away", () => {
  expect(toggleRule([], everything)).toEqual([everything]);
  expect(toggleRule([everything], { ...everything })).toEqual([]);
});

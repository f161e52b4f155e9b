import { expect, test } from "vitest";
import { BodyBudget } from "./body-budget.ts";

const MB = 1024 * 1024;

test("one caller can take at most half of the budget, and can take it again after a release", () => {
  const budget = new BodyBudget(8 * MB);
  const first = budget.open("ann");
  first.take(3 * MB);
  const second = budget.open("ann");
  expect(() => second.take(2 * MB)).toThrow(expect.objectContaining({ status: 429 }));
  budget.open("bob").take(3 * MB);
  first.release();
  second.take(2 * MB);
});

test("all callers together never take more than the budget", () => {
  const budget = new BodyBudget(8 * MB);
  for (const caller of ["ann", "bob"]) budget.open(caller).take(3 * MB);
  expect(() => budget.open(undefined).take(3 * MB)).toThrow(
    expect.objectContaining({ status: 503, headers: { "retry-after": "2" } }),
  );
});

test("small bodies are never refused", () => {
  const budget = new BodyBudget(8 * MB);
  for (const caller of ["ann", "bob"]) budget.open(caller).take(4 * MB);
  for (let at = 0; at < 1_000; at += 1) budget.open("ann").take(1_000);
});

test("a refused share takes nothing from the budget", () => {
  const budget = new BodyBudget(8 * MB);
  const refused = budget.open("ann");
  refused.take(2 * MB);
  expect(() => refused.take(3 * MB)).toThrow();
  refused.release();
  budget.open("ann").take(4 * MB);
});

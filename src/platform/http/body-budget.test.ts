import { expect, test } from "vitest";
import { BodyBudget } from "./body-budget.ts";

const MB = 1024 * 1024;

test("one caller takes half of the budget at most, and gets it back", () => {
  const budget = new BodyBudget(8 * MB);
  const first = budget.open("ann");
  first.take(3 * MB);
  const second = budget.open("ann");
  expect(() => second.take(2 * MB)).toThrow(expect.objectContaining({ status: 429 }));
  budget.open("bob").take(3 * MB);
  first.release();
  second.take(2 * MB);
});

test("all together never take more than the budget, whoever asks", () => {
  const budget = new BodyBudget(8 * MB);
  for (const caller of ["ann", "bob"]) budget.open(caller).take(3 * MB);
  expect(() => budget.open(undefined).take(3 * MB)).toThrow(
    expect.objectContaining({ status: 503, headers: { "retry-after": "2" } }),
  );
});

test("small bodies are never refused for lack of room", () => {
  const budget = new BodyBudget(8 * MB);
  for (const caller of ["ann", "bob"]) budget.open(caller).take(4 * MB);
  for (let at = 0; at < 1_000; at += 1) budget.open("ann").take(1_000);
});

test("a share that was refused takes nothing with it", () => {
  const budget = new BodyBudget(8 * MB);
  const refused = budget.open("ann");
  refused.take(2 * MB);
  expect(() => refused.take(3 * MB)).toThrow();
  refused.release();
  budget.open("ann").take(4 * MB);
});

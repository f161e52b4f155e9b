import { expect, test } from "vitest";
import { findNeeds, type Known } from "./needs.ts";

const HOUR = {
  startsAt: "2026-01-01T00:00:00Z",
  calls: 2,
  failures: [],
  firstTokenMs: null,
};
const FAILURE = { at: "2026-01-01T00:30:00Z", error: "No.", code: "provider_failed" };
const BUDGET = {
  id: "b",
  name: "Team",
  subjectType: "group",
  subjectId: "g",
  share: "pool",
  unit: "tokens",
  amount: 100,
  period: "month",
  warnAt: 0.8,
  enabled: true,
} as const;

const kinds = (known: Known) => findNeeds(known).map(({ kind }) => kind);

test("an installation where all works needs nothing", () => {
  expect(
    findNeeds({
      health: { checks: { database: { status: "ok" } }, jobs: [], unreachable: [] },
      queues: [{ name: "jobs", deadLetters: 0 }],
      providers: [
        { name: "a", hours: [HOUR], lastAnswerAt: FAILURE.at, lastFailure: null },
      ],
      servers: [{ name: "s", state: "ready" }],
      budgets: [{ ...BUDGET, highest: 10 }],
    } as unknown as Known),
  ).toEqual([]);
});

test("what cannot wait comes first", () => {
  const known = {
    queues: [{ name: "jobs", deadLetters: 3 }],
    servers: [
      { name: "one", state: "signed-out", withheld: 2 },
      { name: "two", state: "down" },
    ],
    budgets: [{ ...BUDGET, highest: 85 }],
  } as unknown as Known;
  expect(findNeeds(known)[0]).toMatchObject({ kind: "server", name: "two" });
  expect(kinds(known).toSorted()).toEqual([
    "budget",
    "deadLetters",
    "server",
    "server",
    "withheld",
  ]);
});

test("a provider whose last call failed is named, not one that answered since or was not called", () => {
  const failing = {
    name: "a",
    displayName: "Harbour",
    hours: [HOUR],
    lastAnswerAt: null,
    lastFailure: FAILURE,
  };
  const quiet = { ...failing, name: "b", hours: [{ ...HOUR, calls: 0 }] };
  const well = { ...failing, name: "c", lastAnswerAt: "2026-01-01T00:31:00Z" };
  const providers = [failing, quiet, well] as unknown as Known["providers"];
  expect(findNeeds({ providers })).toMatchObject([{ kind: "provider", name: "Harbour" }]);
});

test("a budget that is used up is urgent, one of single answers or disabled is never near its end", () => {
  const needs = findNeeds({
    budgets: [
      { ...BUDGET, highest: 120 },
      { ...BUDGET, name: "Off", enabled: false, highest: 120 },
      { ...BUDGET, name: "Run", subjectType: "run", highest: 120 },
    ] as unknown as Known["budgets"],
  });
  expect(needs).toEqual([{ kind: "budget", name: "Team", share: 1.2, isUrgent: true }]);
});

test("a part is not named twice where its own list says more", () => {
  const health = {
    checks: { "model providers": { status: "degraded" }, database: { status: "down" } },
    jobs: [{ name: "purge-trash", status: "failed" }],
    unreachable: ["parser"],
  } as unknown as Known["health"];
  expect(kinds({ health, providers: [] })).toEqual(["part", "job", "unreachable"]);
  expect(kinds({ health })).toHaveLength(4);
});

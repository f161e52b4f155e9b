import { isolate } from "../texts/isolate.ts";
import type { Budget } from "./queries.ts";

/** Whom a budget limits. */
export type Limited = Pick<
  Budget,
  "subjectType" | "subjectId" | "subjectName" | "share" | "period"
>;

const PERIODS = { day: "a day", week: "a week", month: "a month", total: "in all" };

export const en = {
  title: "Usage",
  tabs: { report: "Report", budgets: "Budgets" },
  period: "Period",
  lastDays: (days: number) => `Last ${days} days`,
  measure: "Show",
  measures: { tokens: "Tokens", cost: "Cost", requests: "Answers" },
  by: "By",
  groups: { model: "Model", agent: "Agent", user: "Person" },
  none: { model: "unknown", agent: "without an agent", user: "without a person" },
  showAll: "Show all",
  showOnly: (name: string) => `Show the days of ${name} only, or of all again`,
  chart: (measure: string, days: number, only: string | undefined) =>
    `${measure} on each of the last ${days} days${only === undefined ? "" : ", narrowed"}`,
  asTable: "As a table",
  day: "Day",
  input: "Tokens in",
  output: "Tokens out",
  empty: "Nothing was used in this time",
  emptyHint: "Each answer of a model is counted here, with its tokens and its cost.",
  own: "Your budgets",
  ownHint: "What you may use, and how much of it is gone.",
  tokens: "tokens",
  spent: (spent: string, amount: string) => `${spent} of ${amount} used`,
  usedUp: "used up",
  willExceed: "at this pace it will not last",
  expected: (amount: string) => `about ${amount} at this pace`,
  resets: (time: string) => `begins again ${time}`,
  budgetsHint:
    "A budget limits what models may be used for. Who has used theirs up gets a clear answer and " +
    "the day on which it begins again.",
  create: "Create a budget",
  noBudgets: "No budgets yet",
  noBudgetsHint: "Everybody may use as much as they like.",
  change: "Change",
  save: "Save",
  enable: "Switch on",
  disable: "Switch off",
  isOff: "switched off",
  delete: "Delete",
  deleted: (name: string) => `The budget ${name} is deleted.`,
  deleteTitle: "Delete this budget?",
  deleteText: (name: string) =>
    `${name} no longer limits anybody. What was used stays in the report.`,
  actions: (name: string) => `Actions for ${name}`,
  who: "Who used it",
  whoTitle: (name: string) => `Who used ${name}`,
  nobodySpent: "Nobody has used any of it yet.",
  everybody: "all together",
  name: "Name",
  used: "Used",
  together: (amount: string) => `All together: ${amount}. The bar shows who used most.`,
  limits: ({ subjectType, subjectId, subjectName, share, period }: Limited) => {
    const when = PERIODS[period];
    if (subjectType === "run") return "A single answer with its tool calls";
    if (subjectId === "*")
      return subjectType === "user" ? `Everybody, ${when}` : `Each agent, ${when}`;
    const name = isolate(subjectName ?? "deleted");
    if (subjectType !== "group") return `${name}, ${when}`;
    return share === "pool"
      ? `${name} together, ${when}`
      : `Each member of ${name}, ${when}`;
  },
  limitsYou: ({ period }: Limited) => `You, ${PERIODS[period]}`,
  setBy: (name: string, when: string) => `set by ${isolate(name)}, ${when}`,
  perAnswer: (amount: string, unit: Budget["unit"]) =>
    unit === "tokens" ? `${amount} tokens an answer` : `${amount} an answer`,
  whom: "Whom it limits",
  whomOptions: {
    everybody: "Everybody, each by themselves",
    one: "A person or a group",
    agents: "Each agent",
    answer: "A single answer",
  },
  find: "Person or group",
  another: "Choose another",
  chooseOne: "Choose a person or a group.",
  pool: "One amount for all members together",
  poolHint: "Otherwise each member has this amount.",
  unit: "Counted in",
  units: { tokens: "Tokens", money: "Money" },
  periods: { day: "A day", week: "A week", month: "A month", total: "In all" },
  amount: { tokens: "Tokens", money: "Amount, in the currency of the prices" },
  warnAt: "Warn from (per cent)",
};

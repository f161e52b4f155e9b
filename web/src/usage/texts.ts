import { isolate } from "../texts/isolate.ts";
import type { Budget } from "./queries.ts";
import { wordAgentName } from "../texts/built-in-agents.ts";
import { texts } from "../texts/language.ts";

/** Whom a budget limits. */
export type Limited = Pick<
  Budget,
  "subjectType" | "subjectId" | "subjectName" | "share" | "period"
>;

const PERIODS = { day: "a day", week: "a week", month: "a month", total: "in all" };

const en = {
  title: "Usage",
  tabs: { report: "Report", budgets: "Budgets" },
  period: "Period",
  lastDays: (days: number) => `Last ${days} days`,
  measure: "Show",
  measures: {
    tokens: "Tokens",
    cost: "Cost",
    requests: "Answers",
    images: "Images",
    minutes: "Minutes of recordings",
  },
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
  cache: { cachedInputTokens: "From the cache", cacheWriteInputTokens: "Into the cache" },
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

const GERMAN_PERIODS = {
  day: "je Tag",
  week: "je Woche",
  month: "je Monat",
  total: "insgesamt",
};

const de = {
  title: "Verbrauch",
  tabs: { report: "Bericht", budgets: "Budgets" },
  period: "Zeitraum",
  lastDays: (days: number) => `Letzte ${days} Tage`,
  measure: "Zeigen",
  measures: {
    tokens: "Token",
    cost: "Kosten",
    requests: "Antworten",
    images: "Bilder",
    minutes: "Minuten an Aufnahmen",
  },
  by: "Nach",
  groups: { model: "Modell", agent: "Agent", user: "Person" },
  none: { model: "unbekannt", agent: "ohne Agent", user: "ohne Person" },
  showAll: "Alles zeigen",
  showOnly: (name: string) => `Nur die Tage von ${name} zeigen, oder wieder alle`,
  chart: (measure: string, days: number, only: string | undefined) =>
    `${measure} an jedem der letzten ${days} Tage${only === undefined ? "" : ", eingegrenzt"}`,
  asTable: "Als Tabelle",
  day: "Tag",
  input: "Token hinein",
  cache: {
    cachedInputTokens: "Aus dem Zwischenspeicher",
    cacheWriteInputTokens: "In den Zwischenspeicher",
  },
  output: "Token heraus",
  empty: "In dieser Zeit wurde nichts verbraucht",
  emptyHint: "Jede Antwort eines Modells wird hier gezählt, mit ihren Token und Kosten.",
  own: "Ihre Budgets",
  ownHint: "Was Sie nutzen dürfen und wie viel davon verbraucht ist.",
  tokens: "Token",
  spent: (spent: string, amount: string) => `${spent} von ${amount} verbraucht`,
  usedUp: "aufgebraucht",
  willExceed: "reicht bei diesem Tempo nicht",
  expected: (amount: string) => `etwa ${amount} bei diesem Tempo`,
  resets: (time: string) => `beginnt neu am ${time}`,
  budgetsHint:
    "Ein Budget begrenzt, wofür Modelle genutzt werden. Wer seines aufgebraucht hat, erhält eine " +
    "klare Antwort und den Tag, an dem es neu beginnt.",
  create: "Budget anlegen",
  noBudgets: "Noch keine Budgets",
  noBudgetsHint: "Alle dürfen so viel nutzen, wie sie möchten.",
  change: "Ändern",
  save: "Speichern",
  enable: "Einschalten",
  disable: "Ausschalten",
  isOff: "ausgeschaltet",
  delete: "Löschen",
  deleted: (name: string) => `Das Budget ${name} ist gelöscht.`,
  deleteTitle: "Dieses Budget löschen?",
  deleteText: (name: string) =>
    `${name} begrenzt dann niemanden mehr. Was verbraucht wurde, bleibt im Bericht.`,
  actions: (name: string) => `Aktionen für ${name}`,
  who: "Wer es verbraucht hat",
  whoTitle: (name: string) => `Wer ${name} verbraucht hat`,
  nobodySpent: "Davon hat noch niemand etwas verbraucht.",
  everybody: "alle zusammen",
  name: "Name",
  used: "Verbraucht",
  together: (amount: string) =>
    `Alle zusammen: ${amount}. Der Balken zeigt, wer am meisten verbraucht hat.`,
  limits: ({ subjectType, subjectId, subjectName, share, period }: Limited) => {
    const when = GERMAN_PERIODS[period];
    if (subjectType === "run") return "Eine einzelne Antwort mit ihren Werkzeugaufrufen";
    if (subjectId === "*")
      return subjectType === "user" ? `Alle, ${when}` : `Jeder Agent, ${when}`;
    const name = isolate(wordAgentName(subjectId, subjectName ?? "gelöscht"));
    if (subjectType !== "group") return `${name}, ${when}`;
    return share === "pool"
      ? `${name} zusammen, ${when}`
      : `Jedes Mitglied von ${name}, ${when}`;
  },
  limitsYou: ({ period }: Limited) => `Sie, ${GERMAN_PERIODS[period]}`,
  setBy: (name: string, when: string) => `festgelegt von ${isolate(name)}, ${when}`,
  perAnswer: (amount: string, unit: Budget["unit"]) =>
    unit === "tokens" ? `${amount} Token je Antwort` : `${amount} je Antwort`,
  whom: "Wen es begrenzt",
  whomOptions: {
    everybody: "Alle, jede und jeden für sich",
    one: "Eine Person oder Gruppe",
    agents: "Jeden Agenten",
    answer: "Eine einzelne Antwort",
  },
  find: "Person oder Gruppe",
  another: "Andere wählen",
  chooseOne: "Wählen Sie eine Person oder Gruppe.",
  pool: "Ein Betrag für alle Mitglieder zusammen",
  poolHint: "Sonst hat jedes Mitglied diesen Betrag.",
  unit: "Gezählt in",
  units: { tokens: "Token", money: "Geld" },
  periods: { day: "Je Tag", week: "Je Woche", month: "Je Monat", total: "Insgesamt" },
  amount: { tokens: "Token", money: "Betrag, in der Währung der Preise" },
  warnAt: "Warnen ab (Prozent)",
} satisfies typeof en;

export const useUsageTexts = texts({ en, de });

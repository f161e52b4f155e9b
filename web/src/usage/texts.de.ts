import { wordAgentName } from "../texts/built-in-agents.ts";
import { isolate } from "../texts/isolate.ts";
import type { Budget } from "./queries.ts";
import type { en, Limited } from "./texts.en.ts";

const PERIODS = { day: "je Tag", week: "je Woche", month: "je Monat", total: "insgesamt" };

export const de = {
  title: "Verbrauch",
  tabs: { report: "Bericht", budgets: "Budgets" },
  period: "Zeitraum",
  lastDays: (days: number) => `Letzte ${days} Tage`,
  measure: "Zeigen",
  measures: { tokens: "Token", cost: "Kosten", requests: "Antworten" },
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
    const when = PERIODS[period];
    if (subjectType === "run") return "Eine einzelne Antwort mit ihren Werkzeugaufrufen";
    if (subjectId === "*")
      return subjectType === "user" ? `Alle, ${when}` : `Jeder Agent, ${when}`;
    const name = isolate(wordAgentName(subjectId, subjectName ?? "gelöscht"));
    if (subjectType !== "group") return `${name}, ${when}`;
    return share === "pool"
      ? `${name} zusammen, ${when}`
      : `Jedes Mitglied von ${name}, ${when}`;
  },
  limitsYou: ({ period }: Limited) => `Sie, ${PERIODS[period]}`,
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

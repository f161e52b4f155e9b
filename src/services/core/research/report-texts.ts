import type { EndsBecause } from "../../agent-loop/contract-events.ts";
import type { ResearchState } from "./contract-state.ts";

type Used = Pick<ResearchState, "used" | "budget">;
/** Why a research ended before it was done. */
export type EndedBy = EndsBecause | "searches" | "pages";

const en = {
  marks: {
    unread: "no passage that was read says this",
    figure: "a figure of this is not in the cited passage",
    quote: "these words are not in the cited passage",
  },
  notFound: "What could not be found",
  notInvestigated: (step: string) => `Not looked into: ${step}`,
  unread: "Pages that could not be read",
  sources: "Sources",
  about: "About this research",
  used: ({ used, budget }: Used) =>
    `Searches: ${used.searches} of ${budget.searches}. Pages: ${used.pages} of ${budget.pages}.`,
  ended: {
    searches:
      "All searches of the budget were used: this report is made from what they found.",
    pages: "All pages of the budget were used: this report is made from what they say.",
    budget:
      "The tokens of the budget were used up: this report is made from what was found by then.",
    time: "The time of the budget was used up: this report is made from what was found by then.",
    turns:
      "The steps of the model were used up: this report is made from what was found by then.",
  } satisfies Record<EndedBy, string>,
  checked: (marked: number) =>
    marked === 0
      ? "Each citation was compared with the passage that it names: figures and quotations are there."
      : `Each citation was compared with the passage that it names. Marked: ${marked}.`,
};

const de = {
  marks: {
    unread: "keine gelesene Stelle sagt dies",
    figure: "eine Zahl davon steht nicht in der zitierten Stelle",
    quote: "diese Worte stehen nicht in der zitierten Stelle",
  },
  notFound: "Was nicht zu finden war",
  notInvestigated: (step: string) => `Nicht untersucht: ${step}`,
  unread: "Seiten, die nicht gelesen werden konnten",
  sources: "Quellen",
  about: "Zu dieser Recherche",
  used: ({ used, budget }: Used) =>
    `Suchen: ${used.searches} von ${budget.searches}. Seiten: ${used.pages} von ${budget.pages}.`,
  ended: {
    searches:
      "Alle Suchen des Budgets sind verbraucht: Der Bericht beruht auf dem, was sie fanden.",
    pages:
      "Alle Seiten des Budgets sind verbraucht: Der Bericht beruht auf dem, was sie sagen.",
    budget:
      "Die Token des Budgets sind verbraucht: Der Bericht beruht auf dem, was bis dahin gefunden war.",
    time: "Die Zeit des Budgets ist verbraucht: Der Bericht beruht auf dem, was bis dahin gefunden war.",
    turns:
      "Die Schritte des Modells sind verbraucht: Der Bericht beruht auf dem, was bis dahin gefunden war.",
  },
  checked: (marked) =>
    marked === 0
      ? "Jede Quellenangabe wurde mit ihrer Stelle verglichen: Zahlen und Zitate stehen dort."
      : `Jede Quellenangabe wurde mit ihrer Stelle verglichen. Markiert: ${marked}.`,
} satisfies typeof en;

/** The words of a report that are not the model's. */
export const REPORT_TEXTS = { en, de };

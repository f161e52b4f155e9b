import { texts } from "../../texts/language.ts";

const en = {
  title: "Feedback on answers",
  hint: "What people think of answers, the newest first. Choose a model or an agent to see only its answers. You read a conversation only where it is shared with you.",
  count: (total: number, shown: string) => (total === 1 ? "1 rating" : `${shown} ratings`),
  nothing: "No rating fits",
  nothingYet: "No ratings yet",
  nothingHint: "Below each answer people say whether it is good, and why not.",
  export: "Export as CSV",
  rating: "Rating",
  ratings: { like: "Good", dislike: "Bad" },
  reason: "Reason",
  model: "Model",
  any: "Any",
  from: "From",
  to: "To",
  showAll: "Show all",
  noAgent: "Without an agent",
  someAgent: "An agent of others",
  somebody: "Somebody",
  open: "Open the conversation",
};
const de = {
  title: "Bewertungen von Antworten",
  hint:
    "Was Menschen von Antworten halten, das Neueste zuerst. Wählen Sie ein Modell oder einen Agenten, um nur dessen " +
    "Antworten zu sehen. Eine Unterhaltung lesen Sie nur, wenn sie mit Ihnen geteilt ist.",
  count: (total: number, shown: string) =>
    total === 1 ? "1 Bewertung" : `${shown} Bewertungen`,
  nothing: "Keine Bewertung passt",
  nothingYet: "Noch keine Bewertungen",
  nothingHint: "Unter jeder Antwort sagen Menschen, ob sie gut ist, und warum nicht.",
  export: "Als CSV exportieren",
  rating: "Bewertung",
  ratings: { like: "Gut", dislike: "Schlecht" },
  reason: "Grund",
  model: "Modell",
  any: "Alle",
  from: "Von",
  to: "Bis",
  showAll: "Alles zeigen",
  noAgent: "Ohne Agenten",
  someAgent: "Ein Agent von anderen",
  somebody: "Jemand",
  open: "Unterhaltung öffnen",
} satisfies typeof en;

export const useFeedbackTexts = texts({ en, de });

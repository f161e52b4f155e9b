import { isolate } from "../texts/isolate.ts";
import { texts } from "../texts/language.ts";

const en = {
  needsYou: "Needs you",
  research: "Check the plan of a research",
  decisions: (count: number) => `${count} decisions`,
  moreDecisions: "More decisions",
  runFailed: (name: string) => `${isolate(name)} failed`,
  run: "Automation",
  document: "Could not be read",
  allRuns: "All failed runs",
  allDocuments: "All failed documents",
};
const de = {
  needsYou: "Wartet auf Sie",
  research: "Plan einer Recherche prüfen",
  decisions: (count) => `${count} Entscheidungen`,
  moreDecisions: "Weitere Entscheidungen",
  runFailed: (name) => `${isolate(name)} ist fehlgeschlagen`,
  run: "Automation",
  document: "Ließ sich nicht lesen",
  allRuns: "Alle fehlgeschlagenen Läufe",
  allDocuments: "Alle fehlgeschlagenen Dokumente",
} satisfies typeof en;

export const useNeedsTexts = texts({ en, de });

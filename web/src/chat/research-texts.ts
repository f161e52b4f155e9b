import { texts } from "../texts/language.ts";
import { formatNumber } from "../texts/format.ts";

const en = {
  title: "Plan of the research",
  approve: "Approve this plan?",
  hint: "Nothing is searched before. Change the steps as you like.",
  step: (number: number) => `Step ${number}`,
  remove: (number: number) => `Remove step ${number}`,
  add: "Add a step",
  start: "Start the research",
  always: "Always start at once",
  deny: "Do not research",
  searches: "Searches at most",
  pages: "Pages at most",
  most: (most: number) => `Allowed: ${formatNumber(most)}`,
  bounds: (tokens: number, minutes: number) =>
    `It also ends after ${formatNumber(tokens)} tokens or ${formatNumber(minutes)} minutes, and reports what it has.`,
  states: { open: "open", running: "in progress", done: "done" },
  used: (searches: string, pages: string) => `Searches: ${searches}. Pages: ${pages}.`,
  of: (used: number, most: number) => `${formatNumber(used)} of ${formatNumber(most)}`,
  unread: (count: number) =>
    count === 1 ? "1 page could not be read" : `${count} pages could not be read`,
};
const de = {
  title: "Plan der Recherche",
  approve: "Diesem Plan zustimmen?",
  hint: "Vorher wird nichts gesucht. Ändern Sie die Schritte, wie Sie möchten.",
  step: (number: number) => `Schritt ${number}`,
  remove: (number: number) => `Schritt ${number} entfernen`,
  add: "Schritt hinzufügen",
  start: "Recherche beginnen",
  always: "Immer sofort beginnen",
  deny: "Nicht recherchieren",
  searches: "Suchen höchstens",
  pages: "Seiten höchstens",
  most: (most: number) => `Erlaubt: ${formatNumber(most)}`,
  bounds: (tokens: number, minutes: number) =>
    `Sie endet auch nach ${formatNumber(tokens)} Token oder ${formatNumber(minutes)} Minuten und berichtet, was sie hat.`,
  states: { open: "offen", running: "in Arbeit", done: "erledigt" },
  used: (searches: string, pages: string) => `Suchen: ${searches}. Seiten: ${pages}.`,
  of: (used: number, most: number) => `${formatNumber(used)} von ${formatNumber(most)}`,
  unread: (count: number) =>
    count === 1
      ? "1 Seite konnte nicht gelesen werden"
      : `${count} Seiten konnten nicht gelesen werden`,
} satisfies typeof en;

export const useResearchTexts = texts({ en, de });

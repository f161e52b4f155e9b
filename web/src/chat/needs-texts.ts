import { isolate } from "../texts/isolate.ts";
import { texts } from "../texts/language.ts";

const en = {
  needsYou: "Needs you",
  research: "Check the plan of a research",
  decisions: (count: number) => `${count} decisions`,
  all: "All",
  runFailed: (name: string) => `${isolate(name)} failed`,
  run: "Automation",
  document: "Could not be read",
  allRuns: "All failed runs",
  allDocuments: "All failed documents",
  waiting: "Waiting for your decision",
  failed: "Failed",
  shared: "Newly shared with you",
  sharedThing: (by: string | null, title: string) =>
    by === null
      ? `${isolate(title)} was shared with you`
      : `${isolate(by)} shared ${isolate(title)}`,
  types: {
    conversation: "Conversation",
    document: "Document",
    folder: "Folder",
    agent: "Agent",
    template: "Template",
  },
  roles: {
    viewer: "you may read",
    commenter: "you may read and react",
    editor: "you may change",
    owner: "you may change, share and delete",
  },
  markRead: "Mark as read",
  nothing: "Nothing waits for you",
  nothingHint:
    "Replies that ask for a decision, what failed, and what others share with you appear here.",
};
const de = {
  needsYou: "Wartet auf Sie",
  research: "Plan einer Recherche prüfen",
  decisions: (count) => `${count} Entscheidungen`,
  all: "Alle",
  runFailed: (name) => `${isolate(name)} ist fehlgeschlagen`,
  run: "Automation",
  document: "Ließ sich nicht lesen",
  allRuns: "Alle fehlgeschlagenen Läufe",
  allDocuments: "Alle fehlgeschlagenen Dokumente",
  waiting: "Wartet auf Ihre Entscheidung",
  failed: "Fehlgeschlagen",
  shared: "Neu für Sie freigegeben",
  sharedThing: (by, title) =>
    by === null
      ? `${isolate(title)} wurde für Sie freigegeben`
      : `${isolate(by)} hat ${isolate(title)} freigegeben`,
  types: {
    conversation: "Unterhaltung",
    document: "Dokument",
    folder: "Ordner",
    agent: "Agent",
    template: "Vorlage",
  },
  roles: {
    viewer: "Sie dürfen lesen",
    commenter: "Sie dürfen lesen und reagieren",
    editor: "Sie dürfen ändern",
    owner: "Sie dürfen ändern, freigeben und löschen",
  },
  markRead: "Als gelesen markieren",
  nothing: "Nichts wartet auf Sie",
  nothingHint:
    "Hier erscheinen Antworten, die eine Entscheidung brauchen, was fehlgeschlagen ist, und was andere für Sie freigeben.",
} satisfies typeof en;

export const useNeedsTexts = texts({ en, de });

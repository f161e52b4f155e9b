import { texts } from "../../texts/language.ts";

const en = {
  new: "New rule",
  back: "Rules",
  search: "Search by name, type or origin",
  scope: "Whose media",
  anyScope: "All",
  scopes: { client: "Everybody's", personal: "One person's" },
  everybody: "everybody's media",
  mine: "your media",
  ofPerson: (name: string) => `media of ${name}`,
  unknownPerson: "another person",
  by: (name: string, when: string) => `by ${name}, ${when}`,
  changed: (when: string) => `changed ${when}`,
  from: "from",
  anyOrigin: "anywhere",
  hiddenAgents: (count: number) =>
    count === 1
      ? "an agent that is deleted, or that you may not see"
      : `${count} agents that are deleted, or that you may not see`,
  runs: "Show its runs",
  tabs: { rule: "Rule", runs: "Runs" },
  runsHint:
    "How it went, whoever sent the media. The media and what the agents wrote are their senders'.",
  countRuns: (count: number) => (count === 1 ? "1 run" : `${count} runs`),
  noRuns: "No medium fitted this rule yet",
  noRunsHint: "Each medium that it takes is listed here, with how the agents fared.",
  took: (duration: string) => `took ${duration}`,
  tries: (count: number) => `${count} attempts`,
  empty: "No rules yet",
  emptyHint:
    "A rule sends incoming files to your agents: recordings to one that writes minutes, " +
    "invoices to one that reads them.",
  nothing: "No rule fits",
  nothingHint: "Try another part of its name, or all rules.",
  count: (count: number) => (count === 1 ? "1 rule" : `${count} rules`),
  deleteTitle: "Delete this rule?",
  deleteText: (name: string) =>
    `“${name}” takes no more media. Its runs stay. This cannot be undone.`,
  deleted: "The rule is deleted.",
  saved: "The rule is saved.",
  nameHint: "What it is for, such as “Minutes of meetings”",
  type: "Type of the media",
  typeHint:
    "A type such as application/pdf, a family such as audio, an extension such as mp3, or *",
  origin: "Origin",
  originHint:
    "Where it comes from, such as uploads/meetings/**. A * stands for any text without a slash, " +
    "** for any text, ? for one character. A lone * fits everything.",
  whose: "Whose media it takes",
  wholeOrganisation: "Everybody's in the organisation",
  wholeHint: "Every change is in the audit log.",
  limitedAgents:
    "These agents run only for those with whom they are shared. Media of everybody else stay " +
    "without their answer.",
  withheldAgents:
    "These agents do not run: whoever made the rule may not use them. Share them with that person.",
  sharedWith: (names: string[]) => `Shared with ${names.join(", ")}`,
  notShared: "Shared with nobody",
  shareAgent: "Share",
  onlyMine: "Only mine",
  onlyTheirs: "Only those of its maker",
  switchedOn: "Takes media as soon as it is saved",
  notYours: "You may look at this rule, and only an administrator may change it.",
  preview: "What it would match",
  previewHint: "Your last media, held against what you write. Nothing runs.",
  typeFirst: "Write a type to see what fits.",
  summary: (count: number, total: number) => `${count} of ${total} would go to this rule.`,
  noMedia: "You have sent no media yet. Try a file.",
  try: "Try a file",
  tryHint: "Its type is read from it. It is not kept.",
  triedOrigin: "As if it came from",
  tried: "Tried files",
  removeTried: (name: string) => `Remove ${name} from the tried files`,
  outcomes: {
    this_rule: "This rule gets it.",
    own_output: "It fits, but an agent of this rule wrote it.",
    other_rule: (name: string) => `It fits, but “${name}” names it more closely.`,
    goesTo: (name: string) => `“${name}” gets it.`,
  },
  why: {
    type: "The type is named.",
    family: "The family of its type is named.",
    any: "Any type fits.",
    noType: (type: string) => `The type ${type} does not fit.`,
    origin: (pattern: string) => `The origin fits ${pattern}.`,
    noOrigin: (origin: string) => `The origin ${origin} does not fit.`,
  },
  noOrigin: "none",
};

const de = {
  new: "Neue Regel",
  back: "Regeln",
  search: "Nach Name, Typ oder Herkunft suchen",
  scope: "Wessen Medien",
  anyScope: "Alle",
  scopes: { client: "Die aller", personal: "Die einer Person" },
  everybody: "Medien aller",
  mine: "Ihre Medien",
  ofPerson: (name: string) => `Medien von ${name}`,
  unknownPerson: "einer anderen Person",
  by: (name: string, when: string) => `von ${name}, ${when}`,
  changed: (when: string) => `geändert ${when}`,
  from: "aus",
  anyOrigin: "jeder Herkunft",
  hiddenAgents: (count: number) =>
    count === 1
      ? "ein Agent, der gelöscht ist oder den Sie nicht sehen dürfen"
      : `${count} Agenten, die gelöscht sind oder die Sie nicht sehen dürfen`,
  tabs: { rule: "Regel", runs: "Läufe" },
  runsHint:
    "Wie es lief, wer auch immer die Medien sandte. Die Medien und was die Agenten schrieben, " +
    "gehören den Absendern.",
  countRuns: (count: number) => (count === 1 ? "1 Lauf" : `${count} Läufe`),
  noRuns: "Noch kein Medium passte zu dieser Regel",
  noRunsHint: "Jedes Medium, das sie nimmt, steht hier, mit dem Ergebnis der Agenten.",
  took: (duration: string) => `dauerte ${duration}`,
  tries: (count: number) => `${count} Versuche`,
  runs: "Läufe zeigen",
  empty: "Noch keine Regeln",
  emptyHint:
    "Eine Regel schickt eingehende Dateien an Ihre Agenten: Aufnahmen an einen, der Protokolle " +
    "schreibt, Rechnungen an einen, der sie liest.",
  nothing: "Keine Regel passt",
  nothingHint: "Versuchen Sie einen anderen Teil des Namens oder alle Regeln.",
  count: (count: number) => (count === 1 ? "1 Regel" : `${count} Regeln`),
  deleteTitle: "Diese Regel löschen?",
  deleteText: (name: string) =>
    `„${name}“ nimmt keine Medien mehr an. Ihre Läufe bleiben. Das lässt sich nicht rückgängig machen.`,
  deleted: "Die Regel ist gelöscht.",
  saved: "Die Regel ist gespeichert.",
  nameHint: "Wofür sie da ist, etwa „Protokolle der Sitzungen“",
  type: "Typ der Medien",
  typeHint:
    "Ein Typ wie application/pdf, eine Familie wie audio, eine Endung wie mp3, oder *",
  origin: "Herkunft",
  originHint:
    "Woher es kommt, etwa uploads/sitzungen/**. Ein * steht für Text ohne Schrägstrich, " +
    "** für jeden Text, ? für ein Zeichen. Ein * allein passt immer.",
  whose: "Wessen Medien sie annimmt",
  wholeOrganisation: "Die aller in der Organisation",
  wholeHint: "Jede Änderung steht im Protokoll.",
  limitedAgents:
    "Diese Agenten laufen nur für diejenigen, denen sie freigegeben sind. Medien aller anderen " +
    "bleiben ohne ihre Antwort.",
  withheldAgents:
    "Diese Agenten laufen nicht: Wer die Regel angelegt hat, darf sie nicht nutzen. Geben Sie sie " +
    "dieser Person frei.",
  sharedWith: (names: string[]) => `Freigegeben für ${names.join(", ")}`,
  notShared: "Niemandem freigegeben",
  shareAgent: "Freigeben",
  onlyMine: "Nur meine",
  onlyTheirs: "Nur die der Person, die sie angelegt hat",
  switchedOn: "Nimmt Medien an, sobald sie gespeichert ist",
  notYours: "Sie dürfen diese Regel ansehen; ändern darf sie nur die Administration.",
  preview: "Was sie annehmen würde",
  previewHint: "Ihre letzten Medien, verglichen mit dem, was Sie schreiben. Nichts läuft.",
  typeFirst: "Geben Sie einen Typ ein, um zu sehen, was passt.",
  summary: (count: number, total: number) => `${count} von ${total} bekäme diese Regel.`,
  noMedia: "Sie haben noch keine Medien gesendet. Probieren Sie eine Datei aus.",
  try: "Datei ausprobieren",
  tryHint: "Nur ihr Typ wird gelesen. Sie wird nicht behalten.",
  triedOrigin: "Als käme sie aus",
  tried: "Ausprobierte Dateien",
  removeTried: (name: string) => `${name} aus den ausprobierten entfernen`,
  outcomes: {
    this_rule: "Diese Regel bekommt es.",
    own_output: "Es passt, aber ein Agent dieser Regel hat es geschrieben.",
    other_rule: (name: string) => `Es passt, aber „${name}“ nennt es genauer.`,
    goesTo: (name: string) => `„${name}“ bekommt es.`,
  },
  why: {
    type: "Der Typ ist genannt.",
    family: "Die Familie des Typs ist genannt.",
    any: "Jeder Typ passt.",
    noType: (type: string) => `Der Typ ${type} passt nicht.`,
    origin: (pattern: string) => `Die Herkunft passt zu ${pattern}.`,
    noOrigin: (origin: string) => `Die Herkunft ${origin} passt nicht.`,
  },
  noOrigin: "ohne Angabe",
} satisfies typeof en;

export const useRuleTexts = texts({ en, de });

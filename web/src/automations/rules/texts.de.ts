import type { en } from "./texts.en.ts";

export const de = {
  new: "Neue Regel",
  back: "Regeln",
  search: "Teil von Name, Typ oder Herkunft",
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
      ? "ein Agent, den Sie nicht sehen dürfen"
      : `${count} Agenten, die Sie nicht sehen dürfen`,
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

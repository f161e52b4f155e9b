import type { en } from "./texts.en.ts";

export const de = {
  title: "Vorlagen",
  hint: "Texte mit Lücken. Tippen Sie / in eine leere Nachricht, um eine einzufügen.",
  search: "Teil des Namens",
  scope: "Wessen",
  anyScope: "Alle",
  scopes: { personal: "Persönlich", organization: "Der Organisation" },
  newTemplate: "Neue Vorlage",
  empty: "Noch keine Vorlagen",
  emptyHint:
    "Schreiben Sie einen Text, den Sie immer wieder brauchen, einmal auf, mit Lücken für das, " +
    "was sich ändert.",
  nothing: "Keine Vorlage passt",
  nothingHint:
    "Versuchen Sie einen anderen Teil des Namens, oder suchen Sie unter allen Vorlagen.",
  gaps: (count: number) =>
    count === 0 ? "keine Lücken" : count === 1 ? "1 Lücke" : `${count} Lücken`,
  disabled: "nicht angeboten",
  reasons: {
    builtIn: "Sie gehört zur Installation: Alle dürfen sie nutzen.",
    organization: "Sie gehört der Organisation: Alle in ihr dürfen sie nutzen.",
  },
  builtIn: "eingebaut",
  ofOrganisation: "der Organisation",
  yours: "Ihre",
  sharedBy: "freigegeben von",
  actions: (name: string) => `Aktionen für ${name}`,
  edit: "Bearbeiten",
  look: "Ansehen",
  enable: "Wieder anbieten",
  disable: "Nicht mehr anbieten",
  isEnabled: "Die Vorlage wird wieder angeboten.",
  isDisabled: "Die Vorlage wird nicht mehr angeboten.",
  share: "Freigeben",
  delete: "Löschen",
  deleteTitle: "Diese Vorlage löschen?",
  deleteText: (name: string) =>
    `„${name}“ wird gelöscht. Das lässt sich nicht rückgängig machen.`,
  deleted: "Die Vorlage ist gelöscht.",
  name: "Name",
  language: "Sprache",
  languageHint: "Etwa en oder de-AT",
  description: "Beschreibung",
  content: "Text",
  contentHint:
    "Setzen Sie einen Namen in doppelte geschweifte Klammern, wo sich etwas ändert, etwa {{name}} " +
    "oder {{termin}}: erst ein Kleinbuchstabe, dann Buchstaben und Ziffern.",
  wrongNames: (names: string[]) =>
    `Namen von Lücken beginnen mit einem Kleinbuchstaben: ${names.join(", ")}.`,
  variables: "Lücken",
  variablesHint: "Was beim Einfügen der Vorlage gefragt wird.",
  label: "Frage",
  usual: "Üblich",
  required: "Muss gefüllt werden",
  preview: "Vorschau",
  previewHint: "Lücken sind markiert.",
  enabled: "In Nachrichten anbieten",
  enabledHint: "Sonst bleibt sie hier und wird nicht angeboten.",
  create: "Anlegen",
  created: "Die Vorlage ist angelegt.",
  save: "Speichern",
  saved: "Die Vorlage ist gespeichert.",
  readOnly: (isBuiltIn: boolean): string =>
    isBuiltIn
      ? "Diese Vorlage ist eingebaut. Die Administration kann sie abschalten; niemand ändert sie."
      : "Sie dürfen diese Vorlage benutzen. Ändern dürfen sie der Eigentümer, wer sie bearbeiten " +
        "darf, oder die Administration.",
} satisfies typeof en;

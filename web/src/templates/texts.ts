import { isolate } from "../texts/isolate.ts";
import { texts } from "../texts/language.ts";

const en = {
  title: "Templates",
  hint: "Texts with gaps to fill. Type / in an empty message to insert one.",
  search: "Search by name",
  scope: "Whose",
  anyScope: "All",
  scopes: { personal: "Personal", organization: "The organisation's" },
  newTemplate: "New template",
  empty: "No templates yet",
  emptyHint: "Write a text that you need again and again once, with gaps for what changes.",
  nothing: "No template fits",
  nothingHint: "Try another part of the name, or look among all templates.",
  gaps: (count: number) =>
    count === 0 ? "no gaps" : count === 1 ? "1 gap" : `${count} gaps`,
  disabled: "not offered",
  reasons: {
    builtIn: "It comes with the installation: everybody may use it.",
    organization: "It belongs to the organisation: everybody in it may use it.",
  },
  builtIn: "built in",
  ofOrganisation: "of the organisation",
  yours: "yours",
  sharedBy: "shared by",
  use: "Use",
  useNamed: (name: string) => `Use ${isolate(name)}`,
  actions: (name: string) => `Actions for ${name}`,
  edit: "Edit",
  look: "Look at it",
  enable: "Offer again",
  disable: "Stop offering",
  isEnabled: "The template is offered again.",
  isDisabled: "The template is not offered any more.",
  share: "Share",
  delete: "Delete",
  deleteTitle: "Delete this template?",
  deleteText: (name: string) => `“${name}” is deleted. This cannot be undone.`,
  deleted: "The template is deleted.",
  manyDisabled: (count: number) =>
    count === 1
      ? "1 template is not offered any more."
      : `${count} templates are not offered any more.`,
  manyEnabled: (count: number) =>
    count === 1 ? "1 template is offered again." : `${count} templates are offered again.`,
  deleteManyTitle: (count: number) =>
    count === 1 ? "Delete 1 template?" : `Delete ${count} templates?`,
  deleteManyText: "This cannot be undone. Others whom they are shared with lose them, too.",
  manyDeleted: (count: number) =>
    count === 1 ? "1 template is deleted." : `${count} templates are deleted.`,
  name: "Name",
  language: "Language",
  languageHint: "Such as en or de-AT",
  description: "Description",
  content: "Text",
  contentHint:
    "Put a name in double braces where something changes, such as {{name}} or {{dueDate}}: a " +
    "lower-case letter, then letters and digits.",
  wrongNames: (names: string[]) =>
    `Names of gaps begin with a lower-case letter: ${names.join(", ")}.`,
  variables: "Gaps",
  variablesHint: "What is asked when the template is inserted.",
  label: "Question",
  usual: "Usually",
  required: "Must be filled",
  preview: "Preview",
  previewHint: "Gaps are marked.",
  enabled: "Offer it in messages",
  enabledHint: "Otherwise it stays here and is not offered.",
  create: "Create",
  created: "The template is created.",
  save: "Save",
  saved: "The template is saved.",
  readOnly: (isBuiltIn: boolean): string =>
    isBuiltIn
      ? "This template is built in. Administrators can stop offering it; nobody changes it."
      : "You may use this template. Its owner, editors or an administrator change it.",
};

const de = {
  title: "Vorlagen",
  hint: "Texte mit Lücken. Tippen Sie / in eine leere Nachricht, um eine einzufügen.",
  search: "Nach Namen suchen",
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
  use: "Verwenden",
  useNamed: (name: string) => `${isolate(name)} verwenden`,
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
  manyDisabled: (count: number) =>
    count === 1
      ? "1 Vorlage wird nicht mehr angeboten."
      : `${count} Vorlagen werden nicht mehr angeboten.`,
  manyEnabled: (count: number) =>
    count === 1
      ? "1 Vorlage wird wieder angeboten."
      : `${count} Vorlagen werden wieder angeboten.`,
  deleteManyTitle: (count: number) =>
    count === 1 ? "1 Vorlage löschen?" : `${count} Vorlagen löschen?`,
  deleteManyText:
    "Das lässt sich nicht rückgängig machen. Auch andere, für die sie freigegeben sind, verlieren sie.",
  manyDeleted: (count: number) =>
    count === 1 ? "1 Vorlage ist gelöscht." : `${count} Vorlagen sind gelöscht.`,
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

export const useTemplateTexts = texts({ en, de });

import { texts } from "../../texts/language.ts";

const en = {
  title: "Labels",
  hint:
    "Owners put them on folders, documents and agents. Replies carry them on, and each label's rule " +
    "says where what carries it may go.",
  create: "Create label",
  change: "Change",
  save: "Save",
  delete: "Delete",
  deleteTitle: (name: string) => `Delete the label ${name}`,
  deleteText:
    "Whatever carries it carries it no more, and its rule ends with it. This cannot be undone.",
  deleted: (name: string) => `The label ${name} is deleted.`,
  actions: (name: string) => `Actions for ${name}`,
  empty: "No labels yet",
  emptyHint:
    "Define one, such as “Confidential”, and say which providers may read what carries it.",
  name: "Name",
  rule: "Rule",
  description: "Description",
  color: "Colour",
  colors: {
    plain: "Plain",
    blue: "Blue",
    green: "Green",
    amber: "Amber",
    red: "Red",
    violet: "Violet",
  },
  providers: "Who may read it",
  providersAll: "Models of all providers",
  providersSome: "Only models of these providers",
  openWorld: "Tools after it",
  openWorldHint:
    "Those that reach the web, other servers or people. With the last two, calls that change or " +
    "delete something ask as well.",
  openWorldOptions: {
    allowed: "may be called as usual",
    ask: "ask a person first",
    refused: "are refused",
  },
  sharing: "Sharing",
  sharingAll: "With anybody",
  sharingSome: "Only within these groups; without any, with nobody",
  addGroup: "Add a group by name",
  removeGroup: (name: string) => `Remove ${name}`,
  removal: "Who may take it off",
  removalOptions: {
    owners: "Owners of what it was put on",
    administrators: "Administrators alone",
  },
};

const de = {
  title: "Kennzeichnungen",
  hint:
    "Wem Ordner, Dokumente und Agenten gehören, kann sie damit kennzeichnen. Antworten tragen sie " +
    "weiter, und die Regel sagt, wohin etwas damit gehen darf.",
  create: "Kennzeichnung anlegen",
  change: "Ändern",
  save: "Speichern",
  delete: "Löschen",
  deleteTitle: (name: string) => `Kennzeichnung ${name} löschen`,
  deleteText:
    "Was sie trägt, trägt sie nicht mehr, und ihre Regel endet mit ihr. Das lässt sich nicht " +
    "rückgängig machen.",
  deleted: (name: string) => `Die Kennzeichnung ${name} ist gelöscht.`,
  actions: (name: string) => `Aktionen für ${name}`,
  empty: "Noch keine Kennzeichnungen",
  emptyHint:
    "Legen Sie eine an, etwa „Vertraulich“, und sagen Sie, welche Anbieter lesen dürfen, was sie trägt.",
  name: "Name",
  rule: "Regel",
  description: "Beschreibung",
  color: "Farbe",
  colors: {
    plain: "Schlicht",
    blue: "Blau",
    green: "Grün",
    amber: "Gelb",
    red: "Rot",
    violet: "Violett",
  },
  providers: "Wer es lesen darf",
  providersAll: "Modelle aller Anbieter",
  providersSome: "Nur Modelle dieser Anbieter",
  openWorld: "Werkzeuge danach",
  openWorldHint:
    "Solche, die ins Web, zu anderen Servern oder zu Personen gehen. Bei den letzten beiden fragen " +
    "auch Aufrufe, die etwas ändern oder löschen.",
  openWorldOptions: {
    allowed: "laufen wie sonst",
    ask: "fragen zuerst eine Person",
    refused: "werden abgelehnt",
  },
  sharing: "Freigeben",
  sharingAll: "Für alle",
  sharingSome: "Nur in diesen Gruppen; ohne Gruppe für niemanden",
  addGroup: "Eine Gruppe nach Namen hinzufügen",
  removeGroup: (name: string) => `${name} entfernen`,
  removal: "Wer sie abnehmen darf",
  removalOptions: {
    owners: "Wem gehört, woran sie angebracht ist",
    administrators: "Nur die Administration",
  },
} satisfies typeof en;

export const useLabelAdminTexts = texts({ en, de });

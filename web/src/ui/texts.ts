import { texts } from "../texts/language.ts";

const en = {
  close: "Close",
  retry: "Try again",
  requestId: (id: string) => `Request ${id}`,
  loading: "Loading",
  undo: "Undo",
  forbidden: (permission: string) =>
    `You need the permission ${permission}. Ask your administrator for it.`,
  more: "Show more",
  cancel: "Cancel",
  nothingFound: "Nothing found.",
  copy: "Copy",
  copied: "Copied.",
  done: "Done",
  discard: "Discard changes",
  unsaved: "Not saved yet; kept on this device.",
  search: "Part of the name",
  searchFolders: "Search your folders",
  found: (count: number) => (count === 1 ? "1 folder found." : `${count} folders found.`),
  chosen: (count: number) => `${count} chosen`,
  added: "added: ",
  removed: "removed: ",
};
const de = {
  close: "Schließen",
  retry: "Erneut versuchen",
  requestId: (id: string) => `Anfrage ${id}`,
  loading: "Wird geladen",
  undo: "Rückgängig",
  forbidden: (permission: string) =>
    `Ihnen fehlt die Berechtigung ${permission}. Wenden Sie sich an Ihre Administration.`,
  more: "Mehr anzeigen",
  cancel: "Abbrechen",
  nothingFound: "Nichts gefunden.",
  copy: "Kopieren",
  copied: "Kopiert.",
  done: "Fertig",
  discard: "Änderungen verwerfen",
  unsaved: "Noch nicht gespeichert; auf diesem Gerät aufbewahrt.",
  search: "Teil des Namens",
  searchFolders: "Ihre Ordner durchsuchen",
  found: (count: number) =>
    count === 1 ? "1 Ordner gefunden." : `${count} Ordner gefunden.`,
  chosen: (count: number) => `${count} ausgewählt`,
  added: "hinzugefügt: ",
  removed: "entfernt: ",
} satisfies typeof en;

export const useUiTexts = texts({ en, de });

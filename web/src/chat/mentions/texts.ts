import { texts } from "../../texts/language.ts";

const en = {
  lists: { "@": "Agents", "#": "Documents and folders" },
  loading: "Loading",
  count: (count: number) => (count === 1 ? "1 to choose" : `${count} to choose`),
  folder: "Folder: attaches its documents",
  emptyFolder: (name: string) => `“${name}” contains no document.`,
  notAll: (attached: number, total: number) =>
    `${attached} of ${total} documents are attached: a message takes no more.`,
  full: (max: number) => `A message takes ${max} files. Remove one first.`,
};

const de = {
  lists: { "@": "Agenten", "#": "Dokumente und Ordner" },
  loading: "Wird geladen",
  count: (count: number) => `${count} zur Auswahl`,
  folder: "Ordner: hängt seine Dokumente an",
  emptyFolder: (name: string) => `„${name}“ enthält kein Dokument.`,
  notAll: (attached: number, total: number) =>
    `${attached} von ${total} Dokumenten sind angehängt: Mehr fasst eine Nachricht nicht.`,
  full: (max: number) =>
    `Eine Nachricht fasst ${max} Dateien. Entfernen Sie zuerst eine davon.`,
} satisfies typeof en;

export const useMentionTexts = texts({ en, de });

import { nameOf } from "../texts/name-of.ts";
import { texts } from "../texts/language.ts";

const READERS = {
  document_intelligence: "cloud document intelligence",
  pdf_fallback: "the PDF reader",
  optional_parser_one: "layout parser one",
  optional_parser_two: "layout parser two",
  local: "the built-in readers",
};

const en = {
  title: "Documents",
  all: "All documents",
  upload: "Upload files",
  more: "More",
  newFolder: "New folder",
  tryOut: "Try the search",
  folderName: "Name of the folder",
  create: "Create",
  search: "Search by name",
  status: "State",
  anyStatus: "Any",
  statuses: {
    UPLOADED: "waiting",
    PARSING: "being read",
    PARSED: "read",
    EMBEDDING: "being indexed",
    PROCESSED: "ready",
    FAILED: "failed",
  },
  files: (count: number) => (count === 1 ? "1 file" : `${count} files`),
  columns: "Columns",
  sort: "Sort by",
  sortBy: (head: string) => `Sort by: ${head}`,
  heads: { updatedAt: "Changed", fileName: "Name", size: "Size", status: "State" },
  sorts: {
    updatedAt: { desc: "last changed", asc: "first changed" },
    fileName: { asc: "name, A to Z", desc: "name, Z to A" },
    size: { desc: "largest", asc: "smallest" },
    status: { asc: "state, waiting first", desc: "state, failed first" },
  },
  skipped: "failed, left as it is",
  used: (bytes: string, quota: string) => `${bytes} of ${quota} used`,
  ofChats: "Files given to conversations",
  noneOfChats: "No files given to conversations",
  noneOfChatsHint: "What you attach to a message is here.",
  ofChatsHint:
    "These files belong to conversations and are deleted with them. No answer elsewhere uses them.",
  attachmentHint:
    "This file belongs to a conversation: it is deleted with it, and searched only there.",
  keep: "Add to my documents",
  kept: "The file is one of your documents now.",
  empty: "No documents yet",
  emptyHint:
    "Drop a file, then ask it questions. Answers name the page that they come from.",
  emptyFolder: "This folder is empty",
  nothing: "No document fits",
  nothingHint: "Try another part of the name, or another state.",
  drop: "Drop the files to upload them",
  dropInto: (folder: string) => `Drop the files to upload them into “${folder}”`,
  documentCount: (count: number, shown: string) =>
    count === 0
      ? "No documents"
      : count === 1
        ? "1 document"
        : count > 1_000
          ? "More than 1,000 documents"
          : `${shown} documents`,
  retryFailed: "Process failed ones again",
  retried: (count: number) =>
    count === 1
      ? "1 document is processed again."
      : `${count} documents are processed again.`,
  uploads: "Uploads",
  uploading: (name: string) => `${name} is being uploaded`,
  cancel: (name: string) => `Cancel the upload of ${name}`,
  known: (name: string) => `${name} is here already.`,
  dismiss: (name: string) => `Remove ${name} from this list`,
  tryAgain: (name: string) => `Upload ${name} again`,
  actions: (name: string) => `Actions for ${name}`,
  open: "Open",
  download: "Download the file",
  rename: "Rename",
  name: "Name",
  move: "Move",
  moveTo: "Move to",
  top: "No folder",
  stay: "Where it is now",
  changeFolder: "Rename or move",
  share: "Share",
  shareFolder: "Share the folder",
  reprocess: "Process again",
  password: "Password of the file",
  passwordHint: "Opens the file once and is not stored.",
  openWithPassword: "Open with password",
  stop: "Stop processing",
  skip: "Leave as it is",
  delete: "Delete",
  deleteTitle: "Delete this document?",
  deleteText: (name: string) =>
    `“${name}” and its index are deleted. Answers can no longer cite it. This cannot be undone.`,
  deleted: "The document is deleted.",
  deleteManyTitle: (count: number) =>
    count === 1 ? "Delete this document?" : `Delete ${count} documents?`,
  deleteManyText:
    "The files and their indexes are deleted. Answers can no longer cite them. This cannot be undone.",
  deletedMany: (count: number) =>
    count === 1 ? "1 document is deleted." : `${count} documents are deleted.`,
  moveManyTitle: (count: number) =>
    count === 1 ? "Move 1 document" : `Move ${count} documents`,
  moved: (count: number) =>
    count === 1 ? "1 document is moved." : `${count} documents are moved.`,
  movedBack: (count: number) =>
    count === 1 ? "1 document is moved back." : `${count} documents are moved back.`,
  deleteFolder: "Delete the folder",
  folderDeleted: "The folder is deleted.",
  save: "Save",
  partOf: {
    pages: (page: number, count: number) => `Page ${page} of ${count}`,
    slides: (slide: number, count: number) => `Slide ${slide} of ${count}`,
    sheets: (sheet: number, count: number) => `Sheet ${sheet} of ${count}`,
    chapters: (chapter: number, count: number) => `Chapter ${chapter} of ${count}`,
    none: (part: number, count: number) => `Part ${part} of ${count}`,
  },
  previous: "Previous page",
  next: "Next page",
  original: "Original",
  text: "Text",
  chunks: "Chunks",
  cut: "Try other chunks",
  tooLong: (count: number, model: string) =>
    `Chunks that were too long for ${model}, found by their words only: ${count}`,
  counts: {
    pages: (count: number) => (count === 1 ? "1 page" : `${count} pages`),
    slides: (count: number) => (count === 1 ? "1 slide" : `${count} slides`),
    sheets: (count: number) => (count === 1 ? "1 sheet" : `${count} sheets`),
    chapters: (count: number) => (count === 1 ? "1 chapter" : `${count} chapters`),
  },
  chunkCount: (count: number) => (count === 1 ? "1 passage" : `${count} passages`),
  chunk: (index: number) => `Chunk ${index}`,
  chunksHint: "The pieces in which the text is searched.",
  noText: "The text appears here once the document has been read.",
  readBy: (backend: string) => `read by ${nameOf(READERS, backend)}`,
};

const GERMAN_READERS = {
  document_intelligence: "der Dokumentenerkennung in der Cloud",
  pdf_fallback: "dem Leser für PDF",
  optional_parser_one: "Layoutleser eins",
  optional_parser_two: "Layoutleser zwei",
  local: "den eingebauten Lesern",
};

const de = {
  title: "Dokumente",
  all: "Alle Dokumente",
  upload: "Dateien hochladen",
  more: "Mehr",
  newFolder: "Neuer Ordner",
  tryOut: "Suche ausprobieren",
  folderName: "Name des Ordners",
  create: "Anlegen",
  search: "Nach Namen suchen",
  status: "Zustand",
  anyStatus: "Alle",
  statuses: {
    UPLOADED: "wartet",
    PARSING: "wird gelesen",
    PARSED: "gelesen",
    EMBEDDING: "wird indexiert",
    PROCESSED: "bereit",
    FAILED: "fehlgeschlagen",
  },
  files: (count: number) => (count === 1 ? "1 Datei" : `${count} Dateien`),
  columns: "Spalten",
  sort: "Sortieren nach",
  sortBy: (head: string) => `Sortieren nach: ${head}`,
  heads: { updatedAt: "Geändert", fileName: "Name", size: "Größe", status: "Zustand" },
  sorts: {
    updatedAt: { desc: "zuletzt geändert", asc: "zuerst geändert" },
    fileName: { asc: "Name, A bis Z", desc: "Name, Z bis A" },
    size: { desc: "größte", asc: "kleinste" },
    status: { asc: "Zustand, wartende zuerst", desc: "Zustand, fehlgeschlagene zuerst" },
  },
  skipped: "fehlgeschlagen, so belassen",
  used: (bytes: string, quota: string) => `${bytes} von ${quota} belegt`,
  ofChats: "Dateien aus Unterhaltungen",
  noneOfChats: "Keine Dateien in Unterhaltungen",
  noneOfChatsHint: "Was Sie einer Nachricht anhängen, steht hier.",
  ofChatsHint:
    "Diese Dateien gehören zu Unterhaltungen und werden mit ihnen gelöscht. Keine andere Antwort " +
    "verwendet sie.",
  attachmentHint:
    "Diese Datei gehört zu einer Unterhaltung: sie wird mit ihr gelöscht und nur dort durchsucht.",
  keep: "Zu meinen Dokumenten hinzufügen",
  kept: "Die Datei ist jetzt eines Ihrer Dokumente.",
  empty: "Noch keine Dokumente",
  emptyHint:
    "Legen Sie eine Datei ab und stellen Sie ihr Fragen. Antworten nennen die Seite, von der sie " +
    "stammen.",
  emptyFolder: "Dieser Ordner ist leer",
  nothing: "Kein Dokument passt",
  nothingHint: "Versuchen Sie einen anderen Teil des Namens oder einen anderen Zustand.",
  drop: "Dateien hier ablegen, um sie hochzuladen",
  dropInto: (folder: string) => `Dateien ablegen, um sie nach „${folder}“ hochzuladen`,
  documentCount: (count: number, shown: string) =>
    count === 0
      ? "Keine Dokumente"
      : count === 1
        ? "1 Dokument"
        : count > 1_000
          ? "Mehr als 1.000 Dokumente"
          : `${shown} Dokumente`,
  retryFailed: "Fehlgeschlagene erneut verarbeiten",
  retried: (count: number) =>
    count === 1
      ? "1 Dokument wird erneut verarbeitet."
      : `${count} Dokumente werden erneut verarbeitet.`,
  uploads: "Hochladen",
  uploading: (name: string) => `${name} wird hochgeladen`,
  cancel: (name: string) => `Hochladen von ${name} abbrechen`,
  known: (name: string) => `${name} ist schon hier.`,
  dismiss: (name: string) => `${name} aus dieser Liste entfernen`,
  tryAgain: (name: string) => `${name} erneut hochladen`,
  actions: (name: string) => `Aktionen für ${name}`,
  open: "Öffnen",
  download: "Datei herunterladen",
  rename: "Umbenennen",
  name: "Name",
  move: "Verschieben",
  moveTo: "Verschieben nach",
  top: "Kein Ordner",
  stay: "Wo es jetzt ist",
  changeFolder: "Umbenennen oder verschieben",
  share: "Freigeben",
  shareFolder: "Ordner freigeben",
  reprocess: "Erneut verarbeiten",
  password: "Kennwort der Datei",
  passwordHint: "Öffnet die Datei einmal und wird nicht gespeichert.",
  openWithPassword: "Mit Kennwort öffnen",
  stop: "Verarbeitung anhalten",
  skip: "So belassen",
  delete: "Löschen",
  deleteTitle: "Dieses Dokument löschen?",
  deleteText: (name: string) =>
    `„${name}“ und sein Index werden gelöscht. Antworten können es nicht mehr zitieren. Das lässt ` +
    "sich nicht rückgängig machen.",
  deleted: "Das Dokument ist gelöscht.",
  deleteManyTitle: (count: number) =>
    count === 1 ? "Dieses Dokument löschen?" : `${count} Dokumente löschen?`,
  deleteManyText:
    "Die Dateien und ihre Indexe werden gelöscht. Antworten können sie nicht mehr zitieren. Das " +
    "lässt sich nicht rückgängig machen.",
  deletedMany: (count: number) =>
    count === 1 ? "1 Dokument ist gelöscht." : `${count} Dokumente sind gelöscht.`,
  moveManyTitle: (count: number) =>
    count === 1 ? "1 Dokument verschieben" : `${count} Dokumente verschieben`,
  moved: (count: number) =>
    count === 1 ? "1 Dokument ist verschoben." : `${count} Dokumente sind verschoben.`,
  movedBack: (count: number) =>
    count === 1
      ? "1 Dokument ist zurückverschoben."
      : `${count} Dokumente sind zurückverschoben.`,
  deleteFolder: "Ordner löschen",
  folderDeleted: "Der Ordner ist gelöscht.",
  save: "Speichern",
  partOf: {
    pages: (page: number, count: number) => `Seite ${page} von ${count}`,
    slides: (slide: number, count: number) => `Folie ${slide} von ${count}`,
    sheets: (sheet: number, count: number) => `Blatt ${sheet} von ${count}`,
    chapters: (chapter: number, count: number) => `Kapitel ${chapter} von ${count}`,
    none: (part: number, count: number) => `Teil ${part} von ${count}`,
  },
  previous: "Vorige Seite",
  next: "Nächste Seite",
  original: "Original",
  text: "Text",
  cut: "Andere Abschnitte ausprobieren",
  chunks: "Abschnitte",
  tooLong: (count: number, model: string) =>
    `Abschnitte, die zu lang für ${model} waren und nur nach ihren Wörtern gefunden werden: ${count}`,
  counts: {
    pages: (count: number) => (count === 1 ? "1 Seite" : `${count} Seiten`),
    slides: (count: number) => (count === 1 ? "1 Folie" : `${count} Folien`),
    sheets: (count: number) => (count === 1 ? "1 Blatt" : `${count} Blätter`),
    chapters: (count: number) => (count === 1 ? "1 Kapitel" : `${count} Kapitel`),
  },
  chunkCount: (count: number) => (count === 1 ? "1 Abschnitt" : `${count} Abschnitte`),
  chunk: (index: number) => `Abschnitt ${index}`,
  chunksHint: "Die Stücke, in denen der Text durchsucht wird.",
  noText: "Der Text erscheint hier, sobald das Dokument gelesen ist.",
  readBy: (backend: string) => `gelesen von ${nameOf(GERMAN_READERS, backend)}`,
} satisfies typeof en;

export const useDocumentTexts = texts({ en, de });

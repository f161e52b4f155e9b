import { texts } from "../texts/language.ts";

const en = {
  title: "History",
  tabs: {
    all: "Conversations",
    canvases: "Canvases",
    shared: "Shared with me",
    trash: "Trash",
    canvasTrash: "Deleted canvases",
    agents: "Deleted agents",
  },
  noCanvases: "No canvases yet",
  noCanvasesHint:
    "Open an answer as a canvas, or choose New canvas in the menu of a conversation.",
  canvasTypes: { markdown: "Text", code: "Code", html: "Web page" },
  canvasVersion: (version: number) => `version ${version}`,
  changedAt: (ago: string) => `changed ${ago}`,
  canvasTrashHint: "Deleted canvases stay here until they are removed for good.",
  canvasRestored: "The canvas is back.",
  canvasesDeleted: (count: number) =>
    count === 1 ? "1 canvas is in the trash." : `${count} canvases are in the trash.`,
  canvasesRestored: (count: number) =>
    count === 1 ? "1 canvas is back." : `${count} canvases are back.`,
  sharedKinds: "Kinds of things",
  kinds: {
    conversation: "Conversations",
    document: "Documents",
    folder: "Folders",
    agent: "Agents",
    canvas: "Canvases",
  },
  sharedEmpty: "Nothing is shared with you here",
  sharedEmptyHint: "What others share with you or your groups appears here.",
  ownedBy: (name: string) => `Owner: ${name}`,
  gone: "a former user",
  roles: {
    viewer: "You may read",
    commenter: "You may read and react",
    editor: "You may change",
    owner: "You may change, share and delete",
  },
  throughYou: (by: string) => `${by} shared it with you`,
  throughGroup: (group: string, by: string) => `${by} shared it with the group ${group}`,
  search: "Search in titles and messages",
  tags: "Tags",
  count: (total: number) => (total === 1 ? "1 conversation" : `${total} conversations`),
  empty: "No conversations yet",
  emptyHint: "What you ask is kept here, and can be searched.",
  ask: "Ask something",
  nothing: "Nothing found",
  nothingHint: "Try fewer or other words, or take away a tag.",
  untitled: "New conversation",
  pinned: "Pinned",
  actions: (title: string) => `Actions for ${title}`,
  open: "Open",
  rename: "Rename",
  pin: "Pin",
  unpin: "Unpin",
  editTags: "Edit tags",
  addTags: "Add tags",
  addTagsTitle: (count: number) =>
    count === 1 ? "Tags for 1 conversation" : `Tags for ${count} conversations`,
  changedMany: (count: number) =>
    count === 1 ? "1 conversation is changed." : `${count} conversations are changed.`,
  changedBack: (count: number) =>
    count === 1 ? "1 conversation is as before." : `${count} conversations are as before.`,
  deletedMany: (count: number) =>
    count === 1
      ? "1 conversation is in the trash."
      : `${count} conversations are in the trash.`,
  restoredMany: (count: number) =>
    count === 1 ? "1 conversation is back." : `${count} conversations are back.`,
  share: "Share",
  exportMarkdown: "Export as Markdown",
  exportJson: "Export as JSON",
  delete: "Delete",
  deleted: "The conversation is in the trash.",
  renameTitle: "Rename the conversation",
  name: "Title",
  save: "Save",
  tagsTitle: "Tags of the conversation",
  tagsHint: "Separated by commas, at most 20.",
  trashHint: "Deleted conversations stay here until they are removed for good.",
  agentTrashHint: "Deleted agents stay here until they are removed for good.",
  agentRestored: "The agent is back.",
  agentsRestored: (count: number) =>
    count === 1 ? "1 agent is back." : `${count} agents are back.`,
  trashEmpty: "The trash is empty",
  deletedAt: (ago: string) => `deleted ${ago}`,
  restore: "Restore",
  restored: "The conversation is back.",
  purge: "Delete for good",
  purgeTitle: "Delete for good?",
  purgeText: (title: string) => `“${title}” cannot be restored afterwards.`,
  purged: "The conversation is permanently deleted.",
  purgeManyText: (count: number) =>
    count === 1
      ? "1 conversation cannot be restored afterwards."
      : `${count} conversations cannot be restored afterwards.`,
  purgedMany: (count: number) =>
    count === 1
      ? "1 conversation is permanently deleted."
      : `${count} conversations are permanently deleted.`,
};

const de = {
  title: "Verlauf",
  tabs: {
    all: "Unterhaltungen",
    canvases: "Texte",
    shared: "Für mich freigegeben",
    trash: "Papierkorb",
    canvasTrash: "Gelöschte Texte",
    agents: "Gelöschte Agenten",
  },
  noCanvases: "Noch keine Texte",
  noCanvasesHint:
    "Öffnen Sie eine Antwort als Text, oder wählen Sie „Neuer Text“ im Menü einer Unterhaltung.",
  canvasTypes: { markdown: "Text", code: "Code", html: "Webseite" },
  canvasVersion: (version: number) => `Fassung ${version}`,
  changedAt: (ago: string) => `geändert ${ago}`,
  canvasTrashHint: "Gelöschte Texte bleiben hier, bis sie endgültig entfernt werden.",
  canvasRestored: "Der Text ist wieder da.",
  canvasesDeleted: (count: number) =>
    count === 1 ? "1 Text ist im Papierkorb." : `${count} Texte sind im Papierkorb.`,
  canvasesRestored: (count: number) =>
    count === 1 ? "1 Text ist wieder da." : `${count} Texte sind wieder da.`,
  sharedKinds: "Arten von Dingen",
  kinds: {
    conversation: "Unterhaltungen",
    document: "Dokumente",
    folder: "Ordner",
    agent: "Agenten",
    canvas: "Texte",
  },
  sharedEmpty: "Hier ist nichts für Sie freigegeben",
  sharedEmptyHint: "Was andere für Sie oder Ihre Gruppen freigeben, erscheint hier.",
  ownedBy: (name: string) => `Eigentümer: ${name}`,
  gone: "ein früherer Benutzer",
  roles: {
    viewer: "Sie dürfen lesen",
    commenter: "Sie dürfen lesen und reagieren",
    editor: "Sie dürfen ändern",
    owner: "Sie dürfen ändern, freigeben und löschen",
  },
  throughYou: (by: string) => `${by} hat es für Sie freigegeben`,
  throughGroup: (group: string, by: string) =>
    `${by} hat es für die Gruppe ${group} freigegeben`,
  search: "In Titeln und Nachrichten suchen",
  tags: "Schlagwörter",
  count: (total: number) => (total === 1 ? "1 Unterhaltung" : `${total} Unterhaltungen`),
  empty: "Noch keine Unterhaltungen",
  emptyHint: "Was Sie fragen, bleibt hier und lässt sich durchsuchen.",
  ask: "Etwas fragen",
  nothing: "Nichts gefunden",
  nothingHint:
    "Versuchen Sie weniger oder andere Wörter, oder nehmen Sie ein Schlagwort weg.",
  untitled: "Neue Unterhaltung",
  pinned: "Angeheftet",
  actions: (title: string) => `Aktionen für ${title}`,
  open: "Öffnen",
  rename: "Umbenennen",
  pin: "Anheften",
  unpin: "Lösen",
  editTags: "Schlagwörter bearbeiten",
  addTags: "Schlagwörter hinzufügen",
  addTagsTitle: (count: number) =>
    count === 1
      ? "Schlagwörter für 1 Unterhaltung"
      : `Schlagwörter für ${count} Unterhaltungen`,
  changedMany: (count: number) =>
    count === 1 ? "1 Unterhaltung ist geändert." : `${count} Unterhaltungen sind geändert.`,
  changedBack: (count: number) =>
    count === 1
      ? "1 Unterhaltung ist wie vorher."
      : `${count} Unterhaltungen sind wie vorher.`,
  deletedMany: (count: number) =>
    count === 1
      ? "1 Unterhaltung ist im Papierkorb."
      : `${count} Unterhaltungen sind im Papierkorb.`,
  restoredMany: (count: number) =>
    count === 1
      ? "1 Unterhaltung ist wieder da."
      : `${count} Unterhaltungen sind wieder da.`,
  share: "Freigeben",
  exportMarkdown: "Als Markdown exportieren",
  exportJson: "Als JSON exportieren",
  delete: "Löschen",
  deleted: "Die Unterhaltung ist im Papierkorb.",
  renameTitle: "Unterhaltung umbenennen",
  name: "Titel",
  save: "Speichern",
  tagsTitle: "Schlagwörter der Unterhaltung",
  tagsHint: "Durch Kommas getrennt, höchstens 20.",
  trashHint: "Gelöschte Unterhaltungen bleiben hier, bis sie endgültig entfernt werden.",
  agentTrashHint: "Gelöschte Agenten bleiben hier, bis sie endgültig entfernt werden.",
  agentRestored: "Der Agent ist wieder da.",
  agentsRestored: (count: number) =>
    count === 1 ? "1 Agent ist wieder da." : `${count} Agenten sind wieder da.`,
  trashEmpty: "Der Papierkorb ist leer",
  deletedAt: (ago: string) => `gelöscht ${ago}`,
  restore: "Wiederherstellen",
  restored: "Die Unterhaltung ist wieder da.",
  purge: "Endgültig löschen",
  purgeTitle: "Endgültig löschen?",
  purgeText: (title: string) => `„${title}“ lässt sich danach nicht wiederherstellen.`,
  purged: "Die Unterhaltung ist endgültig gelöscht.",
  purgeManyText: (count: number) =>
    count === 1
      ? "1 Unterhaltung lässt sich danach nicht wiederherstellen."
      : `${count} Unterhaltungen lassen sich danach nicht wiederherstellen.`,
  purgedMany: (count: number) =>
    count === 1
      ? "1 Unterhaltung ist endgültig gelöscht."
      : `${count} Unterhaltungen sind endgültig gelöscht.`,
} satisfies typeof en;

export const useHistoryTexts = texts({ en, de });

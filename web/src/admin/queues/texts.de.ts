import type { en } from "./texts.en.ts";

export const de = {
  title: "Warteschlangen",
  hint: "Arbeit, die im Hintergrund der Reihe nach erledigt wird. Was jedes Mal fehlschlägt, bleibt hier.",
  none: "Keine Warteschlangen",
  noneHint:
    "Dieser Prozess hat keine Verbindung zur Warteschlange. Fragen Sie einen, der sie hat.",
  queue: "Warteschlange",
  names: {
    document_removals: "Dateien von Dokumenten löschen",
    embedding_jobs: "Dokumente durchsuchbar machen",
    embedding_progress: "Wie weit Dokumente durchsuchbar sind",
    embedding_results: "Dokumente, die durchsuchbar sind",
    parsing_jobs: "Dateien einlesen",
    parsing_progress: "Wie weit Dateien eingelesen sind",
    parsing_results: "Dateien, die eingelesen sind",
    parsing_stops: "Einlesen anhalten",
    provider_calls: "Zählen, wie Aufrufe bei Anbietern enden",
    transactions: "Verbrauch von Modellen festhalten",
    user_deletions_automations: "Automatisierungen gelöschter Benutzer löschen",
    user_deletions_core: "Unterhaltungen gelöschter Benutzer löschen",
    user_deletions_documents: "Dokumente gelöschter Benutzer löschen",
    user_deletions_integrations: "Konten gelöschter Benutzer für Abläufe löschen",
    "user_deletions_tool-gateway": "Verbundene Konten gelöschter Benutzer löschen",
    user_deletions_parser: "Leseaufträge gelöschter Benutzer löschen",
    user_deletions_users: "Freigaben gelöschter Benutzer löschen",
  },
  waiting: "Wartend",
  dead: "Fehlgeschlagen",
  look: (count: string) => `${count}: ansehen`,
  back: "Alle Warteschlangen",
  deadTitle: (name: string) => `Fehlgeschlagene Nachrichten: ${name}`,
  deadHint:
    "Wiederholen Sie sie, sobald die Ursache behoben ist. Gelöschte Nachrichten werden nicht mehr bearbeitet.",
  noDead: "Nichts ist fehlgeschlagen",
  noDeadHint: "Nachrichten, die jedes Mal fehlschlagen, erscheinen hier mit dem Grund.",
  retry: "Wiederholen",
  retryAll: "Alle wiederholen",
  retried: (count: number) =>
    count === 1
      ? "1 Nachricht wird wiederholt."
      : `${count} Nachrichten werden wiederholt.`,
  delete: "Löschen",
  deleteAll: "Alle löschen",
  deleted: (count: number) =>
    count === 1 ? "1 Nachricht ist gelöscht." : `${count} Nachrichten sind gelöscht.`,
  deleteTitle: "Alle fehlgeschlagenen Nachrichten löschen?",
  deleteText: (name: string) =>
    `Was sie verlangten (${name}), wird nicht getan. Das lässt sich nicht rückgängig machen.`,
  died: (ago: string, tries: number) =>
    `${ago}, nach ${tries} ${tries === 1 ? "Versuch" : "Versuchen"}`,
  message: "Nachricht",
} satisfies typeof en;

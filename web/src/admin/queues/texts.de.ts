import type { en } from "./texts.en.ts";

export const de = {
  title: "Warteschlangen",
  hint: "Arbeit, die im Hintergrund der Reihe nach erledigt wird. Was jedes Mal fehlschlägt, bleibt hier.",
  none: "Keine Warteschlangen",
  noneHint:
    "Dieser Prozess hat keine Verbindung zur Warteschlange. Fragen Sie einen, der sie hat.",
  queue: "Warteschlange",
  waiting: "Wartend",
  dead: "Fehlgeschlagen",
  look: (count: string) => `${count}: ansehen`,
  back: "Alle Warteschlangen",
  deadTitle: (name: string) => `Fehlgeschlagene Nachrichten von ${name}`,
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
    `Was sie in ${name} verlangten, wird nicht getan. Das lässt sich nicht rückgängig machen.`,
  died: (ago: string, tries: number) =>
    `${ago}, nach ${tries} ${tries === 1 ? "Versuch" : "Versuchen"}`,
  message: "Nachricht",
} satisfies typeof en;

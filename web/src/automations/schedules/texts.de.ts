import type { en } from "./texts.en.ts";

export const de = {
  new: "Neuer Zeitplan",
  back: "Zeitpläne",
  empty: "Noch keine Zeitpläne",
  emptyHint:
    "Ein Zeitplan startet Agenten nach der Uhr: jeden Morgen eine Zusammenfassung, montags eine Prüfung.",
  next: (when: string) => `nächstes Mal ${when}`,
  noNext: "kein nächstes Mal",
  last: "letzter Lauf",
  runNow: "Jetzt ausführen",
  started: "Der Lauf hat begonnen.",
  runs: "Läufe zeigen",
  saved: "Der Zeitplan ist gespeichert.",
  deleted: "Der Zeitplan ist gelöscht.",
  deleteTitle: "Diesen Zeitplan löschen?",
  deleteText: (name: string) =>
    `„${name}“ startet nichts mehr. Die Läufe bleiben. Das lässt sich nicht rückgängig machen.`,
  when: "Wann",
  cronHint: "Minute, Stunde, Tag des Monats, Monat, Wochentag; etwa 0 9 * * 1-5",
  examples: "Beispiele",
  presets: {
    "0 9 * * 1-5": "Werktags um 9:00",
    "0 7 * * *": "Jeden Tag um 7:00",
    "0 8 * * 1": "Montags um 8:00",
    "0 9 1 * *": "Am Monatsersten um 9:00",
    "0 * * * *": "Jede Stunde",
  },
  timeZone: "Zeitzone",
  timeZoneHint: "Die Zeiten gelten in dieser Zone, etwa Europe/Berlin",
  input: "Was den Agenten gesagt wird",
  switchedOn: "Startet Läufe, sobald er gespeichert ist",
  preview: "Die nächsten Male",
  previewHint: (zone: string) => `In Ihrer Zeitzone, ${zone}.`,
  writeFirst: "Geben Sie an, wann er laufen soll.",
} satisfies typeof en;

import { texts } from "../../texts/language.ts";

const en = {
  new: "New schedule",
  back: "Schedules",
  empty: "No schedules yet",
  emptyHint:
    "A schedule starts agents by the clock: a summary every morning, a check every Monday.",
  next: (when: string) => `next ${when}`,
  noNext: "no next time",
  last: "last run",
  runNow: "Run now",
  started: "The run has begun.",
  runs: "Show its runs",
  saved: "The schedule is saved.",
  deleted: "The schedule is deleted.",
  deleteTitle: "Delete this schedule?",
  deleteText: (name: string) =>
    `“${name}” starts nothing more. Its runs stay. This cannot be undone.`,
  when: "When",
  cronHint: "Minute, hour, day of the month, month, day of the week; such as 0 9 * * 1-5",
  examples: "Examples",
  presets: {
    "0 9 * * 1-5": "Working days at 9:00",
    "0 7 * * *": "Every day at 7:00",
    "0 8 * * 1": "Mondays at 8:00",
    "0 9 1 * *": "The first of the month at 9:00",
    "0 * * * *": "Every hour",
  },
  timeZone: "Time zone",
  timeZoneHint: "The times above are in this zone, such as Europe/Berlin",
  input: "Input for the agents",
  switchedOn: "Starts runs as soon as it is saved",
  preview: "The next times",
  previewHint: (zone: string) => `In your time zone, ${zone}.`,
  writeFirst: "Write when it is to run.",
};

const de = {
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

export const useScheduleTexts = texts({ en, de });

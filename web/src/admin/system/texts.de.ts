import type { en } from "./texts.en.ts";

export const de = {
  title: "Systemzustand",
  about: (version: string, uptime: string) => `Version ${version}, läuft seit ${uptime}.`,
  overall: {
    ok: "Alles funktioniert.",
    degraded: "Etwas funktioniert nicht, wie es sollte.",
    down: "Etwas, das alles andere braucht, ist ausgefallen.",
  },
  parts: "Teile",
  partsHint: "Was dieser Prozess braucht, Stand von eben.",
  names: {
    database: "Datenbank",
    queue: "Warteschlange",
    cache: "Zwischenspeicher",
    "file storage": "Dateispeicher",
    revocations: "Widerrufe",
    "tool servers": "Werkzeugserver",
    "model providers": "Modellanbieter",
    parser_disk: "Platte zum Einlesen",
    parser_isolation: "Abschottung beim Einlesen",
    "provider flowengine": "Anbieter der Abläufe",
    "embedding model": "Suchmodell",
    reranker: "Ordnen der Treffer",
  },
  states: {
    ok: "funktioniert",
    degraded: "funktioniert teilweise",
    down: "antwortet nicht",
  },
  latency: (ms: string) => `${ms} ms`,
  jobs: "Hintergrundaufgaben",
  jobsHint:
    "Arbeit, die von selbst läuft. Die Zahlen gelten seit dem Start dieses Prozesses.",
  job: "Aufgabe",
  state: "Zustand",
  jobStates: { ok: "in Ordnung", failed: "fehlgeschlagen", waiting: "noch nicht gelaufen" },
  lastRun: "Zuletzt",
  took: "Dauer",
  every: "Alle",
  runs: "Läufe",
  failures: "Fehler",
} satisfies typeof en;

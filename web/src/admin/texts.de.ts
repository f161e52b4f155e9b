import type { en } from "./texts.en.ts";

export const de = {
  title: "Verwaltung",
  groups: {
    start: "Start",
    people: "Personen",
    models: "Modelle und Werkzeuge",
    rules: "Regeln",
    operation: "Betrieb",
  },
  parts: {
    overview: "Überblick",
    users: "Benutzer",
    groups: "Gruppen",
    roles: "Rollen",
    labels: "Kennzeichnungen",
    models: "Modelle",
    tools: "Werkzeugserver",
    webSearch: "Websuche",
    flows: "Rechte an Abläufen",
    parsing: "Einlesen",
    embedding: "Suchindex",
    queues: "Warteschlangen",
    locks: "Sperren",
    audit: "Protokoll",
    feedback: "Bewertungen",
    system: "Systemzustand",
    branding: "Erscheinungsbild",
  },
} satisfies typeof en;

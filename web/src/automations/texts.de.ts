import type { en } from "./texts.en.ts";

export const de = {
  title: "Automatisierung",
  tabs: { rules: "Regeln", runs: "Läufe", sources: "Quellen", schedules: "Zeitpläne" },
  active: "aktiv",
  inactive: "ausgeschaltet",
  activate: "Einschalten",
  deactivate: "Ausschalten",
  actions: (name: string) => `Aktionen für ${name}`,
  edit: "Bearbeiten",
  delete: "Löschen",
  save: "Speichern",
  discard: "Änderungen verwerfen",
  kept: "Nicht Gespeichertes bleibt in diesem Browser erhalten.",
  name: "Name",
  agents: {
    title: "Agenten",
    hint:
      "Sie antworten nebeneinander. Wer auf andere wartet, beginnt nach deren Ende " +
      "und bekommt, was sie geschrieben haben.",
    add: "Agenten hinzufügen",
    addHint: "Teil des Namens",
    suggestions: "Agenten, die Sie hinzufügen können",
    none: "Wählen Sie mindestens einen Agenten.",
    noAgents: "Sie haben noch keine Agenten. Legen Sie zuerst einen an.",
    unknown: "Ein Agent, den Sie nicht sehen dürfen",
    remove: (name: string) => `${name} entfernen`,
    waitsFor: "Wartet auf",
    more: "Zeitgrenze, Wiederholungen, Vorrang",
    timeout: "Zeitgrenze in Sekunden",
    timeoutHint: "Für einen Versuch. Ohne Angabe 600.",
    retries: "Wiederholungen",
    retriesHint: "Wie oft er es nach einem Fehler erneut versucht.",
    priority: "Vorrang",
    priorityHint: "Agenten mit höherem enden, bevor solche mit niedrigerem beginnen.",
  },
} satisfies typeof en;

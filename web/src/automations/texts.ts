import { texts } from "../texts/language.ts";

const en = {
  title: "Automations",
  tabs: { rules: "Rules", runs: "Runs", sources: "Sources", schedules: "Schedules" },
  active: "active",
  inactive: "switched off",
  activate: "Switch on",
  deactivate: "Switch off",
  manyActive: (count: number) => `Switched on: ${count}`,
  manyInactive: (count: number) => `Switched off: ${count}`,
  deleteManyTitle: (count: number) =>
    count === 1 ? "Delete what is chosen?" : `Delete all ${count} that are chosen?`,
  deleteManyText: "Their runs stay. This cannot be undone.",
  manyDeleted: (count: number) => `Deleted: ${count}`,
  actions: (name: string) => `Actions for ${name}`,
  edit: "Edit",
  delete: "Delete",
  save: "Save",
  discard: "Discard changes",
  kept: "Unsaved changes are kept in this browser.",
  name: "Name",
  agents: {
    title: "Agents",
    hint:
      "They answer side by side. One that waits for others begins when these are complete, " +
      "and gets what they wrote.",
    add: "Add an agent",
    addHint: "Part of its name",
    suggestions: "Agents that you can add",
    none: "Choose at least one agent.",
    noAgents: "You have no agents yet. Make one first.",
    unknown: "An agent that is deleted, or that you may not see",
    remove: (name: string) => `Remove ${name}`,
    waitsFor: "Waits for",
    more: "Time limit, repetitions, priority",
    timeout: "Time limit in seconds",
    timeoutHint: "For one attempt. 600 where nothing is said.",
    retries: "Repetitions",
    retriesHint: "How often it is tried again when it fails.",
    priority: "Priority",
    priorityHint: "Agents with a higher one end before those with a lower one begin.",
  },
};

const de = {
  title: "Automatisierung",
  tabs: { rules: "Regeln", runs: "Läufe", sources: "Quellen", schedules: "Zeitpläne" },
  active: "aktiv",
  inactive: "ausgeschaltet",
  activate: "Einschalten",
  deactivate: "Ausschalten",
  manyActive: (count: number) => `Eingeschaltet: ${count}`,
  manyInactive: (count: number) => `Ausgeschaltet: ${count}`,
  deleteManyTitle: (count: number) =>
    count === 1 ? "Das Ausgewählte löschen?" : `Alle ${count} ausgewählten löschen?`,
  deleteManyText: "Ihre Läufe bleiben. Das lässt sich nicht rückgängig machen.",
  manyDeleted: (count: number) => `Gelöscht: ${count}`,
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
    addHint: "Nach Namen suchen",
    suggestions: "Agenten, die Sie hinzufügen können",
    none: "Wählen Sie mindestens einen Agenten.",
    noAgents: "Sie haben noch keine Agenten. Legen Sie zuerst einen an.",
    unknown: "Ein Agent, der gelöscht ist oder den Sie nicht sehen dürfen",
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

export const useAutomationTexts = texts({ en, de });

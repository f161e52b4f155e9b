import { texts } from "../../texts/language.ts";

const en = {
  title: "Search engines",
  hint: "Models search the web by the first one that answers; the next one takes over where it fails or has no quota left.",
  add: "Add search engine",
  none: "No search engine yet",
  noneHint: "Add one, and models can search the web in chats and agents that may.",
  kind: "Engine",
  name: "Name",
  query: "Search for",
  defaultQuery: "weather forecast",
  test: "Test",
  testTitle: (name: string) => `Test ${name}`,
  testFound: (count: string, ms: string) =>
    count === "1" ? `It found 1 page in ${ms} ms.` : `It found ${count} pages in ${ms} ms.`,
  testNothing: (ms: string) => `It answers in ${ms} ms and found nothing. Try other words.`,
  testResults: "What it found",
  testAndSave: "Test and save",
  saved: "Saved. Replies use it from now on.",
  secretsHint: "Keys are stored encrypted and not shown again.",
  changeTitle: (name: string) => `Change ${name}`,
  actions: (name: string) => `Actions for ${name}`,
  change: "Change",
  up: "Ask earlier",
  down: "Ask later",
  enable: "Enable",
  disable: "Disable",
  delete: "Remove",
  deleteTitle: (name: string) => `Remove ${name}`,
  deleteText: "It is not asked any more, and its key is deleted. This cannot be undone.",
  deleted: (name: string) => `${name} is removed.`,
  position: (position: string) => `Asked as number ${position}`,
  fromEnvironment: "Environment",
  fromEnvironmentHint:
    "Set in the environment of the server: changed there alone, asked first.",
  enabled: "Enabled",
  disabled: "Disabled",
  rests: (time: string) => `Rests until ${time}`,
  remaining: (count: string) => `${count} searches left`,
};

const de: typeof en = {
  title: "Suchmaschinen",
  hint: "Modelle suchen im Web mit der ersten, die antwortet; scheitert sie oder ist ihr Kontingent verbraucht, übernimmt die nächste.",
  add: "Suchmaschine hinzufügen",
  none: "Noch keine Suchmaschine",
  noneHint:
    "Fügen Sie eine hinzu, und Modelle suchen im Web, wo Chats und Agenten es dürfen.",
  kind: "Suchmaschine",
  name: "Name",
  query: "Suchen nach",
  defaultQuery: "Wettervorhersage",
  test: "Testen",
  testTitle: (name) => `${name} testen`,
  testFound: (count, ms) =>
    count === "1"
      ? `Sie hat 1 Seite in ${ms} ms gefunden.`
      : `Sie hat ${count} Seiten in ${ms} ms gefunden.`,
  testNothing: (ms) =>
    `Sie antwortet in ${ms} ms und hat nichts gefunden. Versuchen Sie andere Wörter.`,
  testResults: "Was sie gefunden hat",
  testAndSave: "Testen und speichern",
  saved: "Gespeichert. Antworten nutzen sie ab jetzt.",
  secretsHint: "Schlüssel werden verschlüsselt gespeichert und nicht wieder angezeigt.",
  changeTitle: (name) => `${name} ändern`,
  actions: (name) => `Aktionen für ${name}`,
  change: "Ändern",
  up: "Früher fragen",
  down: "Später fragen",
  enable: "Einschalten",
  disable: "Ausschalten",
  delete: "Entfernen",
  deleteTitle: (name) => `${name} entfernen`,
  deleteText:
    "Sie wird nicht mehr gefragt, und ihr Schlüssel wird gelöscht. Das lässt sich nicht rückgängig machen.",
  deleted: (name) => `${name} ist entfernt.`,
  position: (position) => `Wird als Nummer ${position} gefragt`,
  fromEnvironment: "Umgebung",
  fromEnvironmentHint:
    "In der Umgebung des Servers eingestellt: Sie wird nur dort geändert und zuerst gefragt.",
  enabled: "Eingeschaltet",
  disabled: "Ausgeschaltet",
  rests: (time) => `Ruht bis ${time}`,
  remaining: (count) => `Noch ${count} Suchen`,
};

export const useEngineTexts = texts({ en, de });

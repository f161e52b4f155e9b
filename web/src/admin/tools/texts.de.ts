import type { en } from "./texts.en.ts";

export const de = {
  test: "Verbindung prüfen",
  testFound: (tools: string, ms: string) =>
    `Er antwortet in ${ms} ms und bietet ${tools === "1" ? "1 Werkzeug" : `${tools} Werkzeuge`}.`,
  testTools: "Werkzeuge des geprüften Servers",
  tabsLabel: "Werkzeuge",
  tabs: { servers: "Server", list: "Werkzeuge", changed: "Geänderte Werkzeuge" },
  serversHint:
    "Server des Model Context Protocol. Modelle rufen ihre Werkzeuge auf, wenn es erlaubt ist.",
  add: "Server hinzufügen",
  refresh: "Aktualisieren",
  refreshed: "Die Werkzeuglisten wurden neu gelesen.",
  noServers: "Noch keine Werkzeugserver",
  noServersHint:
    "Fügen Sie die Adresse eines Servers hinzu; Modelle können dann seine Werkzeuge nutzen.",
  fromFile: "Aus einer Datei des Servers; hier nicht änderbar.",
  toolCount: (count: number) => (count === 1 ? "1 Werkzeug" : `${count} Werkzeuge`),
  states: {
    ready: "Bereit",
    idle: "Ruht",
    connecting: "Verbindet",
    down: "Nicht erreichbar",
    disabled: "Deaktiviert",
  },
  stateHints: {
    ready: "Die Verbindung steht.",
    idle: "Er wurde eine Weile nicht gebraucht; der nächste Aufruf verbindet.",
    connecting: "Er wird nach seinen Werkzeugen gefragt.",
    down: "Er antwortet nicht. Alle paar Sekunden wird es erneut versucht.",
    disabled: "Seine Werkzeuge werden nicht angeboten.",
  },
  actions: (name: string) => `Aktionen für ${name}`,
  showTools: "Seine Werkzeuge anzeigen",
  change: "Ändern",
  changeTitle: (name: string) => `${name} ändern`,
  enable: "Aktivieren",
  disable: "Deaktivieren",
  delete: "Löschen",
  deleted: (name: string) => `${name} ist gelöscht.`,
  deleteTitle: (name: string) => `${name} löschen`,
  deleteText:
    "Seine Werkzeuge werden nicht mehr angeboten, seine Schlüssel gelöscht. Das lässt sich nicht " +
    "rückgängig machen.",
  save: "Speichern",
  saved: "Gespeichert. Der Server wird nach seinen Werkzeugen gefragt.",
  name: "Name",
  nameHint: "Buchstaben, Ziffern, Punkte, Binde- und Unterstriche.",
  address: "Adresse",
  addressHint: "Streamable HTTP, mit Pfad.",
  headers: "Kopfzeilen",
  headersHint:
    "Gehen mit jeder Anfrage mit, eine je Zeile. Sie werden verschlüsselt gespeichert und nicht " +
    "wieder angezeigt.",
  replaceHeaders: "Gespeicherte Kopfzeilen ersetzen",
  storedHeaders: (names: string) =>
    `Gespeichert: ${names}. Eine neue Adresse braucht sie erneut.`,
  noHeaders: "Es sind keine gespeichert.",
  names: "Namen der Werkzeuge",
  hide: "Werkzeuge, die nicht angeboten werden",
  hideHint: "Ein Name je Zeile, wie der Server sie nennt.",
  rename: "Andere Namen",
  renameHint: "Einer je Zeile: seiner = unserer",
  toolsHint:
    "Aufrufe zerstörender Werkzeuge warten auf Genehmigung. Was Sie festlegen, gilt, bis sich das " +
    "Werkzeug ändert.",
  search: "Teil des Namens oder Servers",
  onlyOf: (server: string) => `Nur ${server}`,
  showAll: "Die aller Server anzeigen",
  noTools: "Kein Werkzeug passt dazu.",
  noneYet: "Noch keine Werkzeuge",
  noneYetHint: "Werkzeuge kommen von Servern. Fügen Sie einen hinzu, dann stehen sie hier.",
  toServers: "Zu den Servern",
  tool: "Werkzeug",
  server: "Server",
  effect: "Was ein Aufruf tut",
  effects: {
    read_only: "Liest nur",
    additive: "Fügt hinzu",
    destructive: "Kann zerstören",
  },
  bySelf: "Wie sein Server sagt",
  bySelfAs: (effect: string) => `Unverändert: ${effect}`,
  effectBy: {
    administrator: "von der Verwaltung festgelegt",
    server: "sagt sein Server",
    default: "sein Server sagt nichts",
  },
  waits: "wartet auf Genehmigung",
  changedHint:
    "Ein Werkzeug, dessen Beschreibung sich ändert, wird zurückgehalten, bis die Verwaltung gelesen " +
    "hat, was anders ist: Der Text leitet das Modell an.",
  noneChanged: "Kein Werkzeug hat sich geändert",
  noneChangedHint: "Alle Werkzeuge sind so, wie sie genehmigt wurden.",
  of: (server: string) => `von ${server}`,
  approve: "Genehmigen",
  approved: (name: string) => `${name} wird wieder angeboten.`,
  parts: {
    title: "Titel",
    description: "Beschreibung",
    inputSchema: "Argumente",
    outputSchema: "Ergebnis",
    annotations: "Anmerkungen",
  },
  added: "hinzugefügt:",
  removed: "entfernt:",
} satisfies typeof en;

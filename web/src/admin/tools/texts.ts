import { texts } from "../../texts/language.ts";

const en = {
  test: "Test the connection",
  testFound: (tools: string, ms: string) =>
    `It answers in ${ms} ms and offers ${tools === "1" ? "1 tool" : `${tools} tools`}.`,
  testTools: "Tools of the tested server",
  tabsLabel: "Tools",
  tabs: {
    servers: "Servers",
    list: "Tools",
    changed: "New and changed tools",
  },
  serversHint:
    "Servers of the Model Context Protocol. Models call their tools when users permit it.",
  add: "Add server",
  refresh: "Refresh",
  refreshed: "The lists of tools were read again.",
  noServers: "No tool servers yet",
  noServersHint: "Add the address of a server, and models can use its tools.",
  fromFile: "From a file of the server; it cannot be changed here.",
  toolCount: (count: number) => (count === 1 ? "1 tool" : `${count} tools`),
  states: {
    ready: "Ready",
    idle: "Idle",
    connecting: "Connecting",
    "signed-out": "Sign-in needed",
    down: "Down",
    disabled: "Disabled",
  },
  stateHints: {
    ready: "It is connected.",
    idle: "It was not needed for a while; the next call connects.",
    connecting: "It is being asked for its tools.",
    "signed-out":
      "Its list of tools is read once an administrator has connected an account.",
    down: "It does not answer. It is tried again every few seconds.",
    disabled: "Its tools are not offered.",
  },
  actions: (name: string) => `Actions for ${name}`,
  showTools: "Show its tools",
  connect: "Connect your account",
  fillIn: "Fill in your values",
  change: "Change",
  changeTitle: (name: string) => `Change ${name}`,
  enable: "Enable",
  disable: "Disable",
  delete: "Delete",
  deleted: (name: string) => `${name} is deleted.`,
  deleteTitle: (name: string) => `Delete ${name}`,
  deleteText:
    "Its tools are no longer offered, and its keys are deleted. This cannot be undone.",
  save: "Save",
  saved: "Saved. The server is being asked for its tools.",
  name: "Name",
  nameHint: "Letters, digits, dots, dashes and underscores.",
  address: "Address",
  addressHint:
    "Streamable HTTP, with its path; stdio:<name> for a program that the operator offers.",
  headers: "Headers",
  headersHint:
    "Sent with each request, one a line. They are stored encrypted and not shown again. " +
    "{{user.id}}, {{user.email}} and {{secret.key}}, which each user fills in, differ from user to user.",
  replaceHeaders: "Replace the stored headers",
  storedHeaders: (names: string) => `Stored: ${names}. A new address needs them again.`,
  noHeaders: "None are stored.",
  trusted: "Offer its new tools unasked",
  trustedHint:
    "Otherwise tools that it adds later wait until you approve them, and labels treat all its tools " +
    "as reaching outside, whatever they say. Changed tools always wait.",
  withheld: (count: number) => (count === 1 ? "1 to approve" : `${count} to approve`),
  isNew: "New",
  oauth: "Sign-in of users",
  oauthHint:
    "For a server that signs users in (OAuth) and knows Parlance by a registration by hand alone.",
  clientId: "Client ID",
  clientIdHint: "Empty: Parlance registers itself.",
  clientSecret: "Client secret",
  clientSecretHint:
    "Stored encrypted and not shown again. Empty: what is stored stays, unless the client ID or the " +
    "issuer changes.",
  issuer: "Issuer",
  issuerHint:
    "The only authorization server where the client ID may be used. Empty: the first one that the " +
    "server names.",
  issuerNow: (issuer: string) => `Used at ${issuer}. Enter another one to change that.`,
  redirectUri: "Redirect address to register there:",
  scopes: "Rights to ask for",
  scopesHint: "One a line. Empty: those that the server names.",
  names: "Names of tools",
  hide: "Tools that are not offered",
  hideHint: "One name a line, as the server calls them.",
  rename: "Other names",
  renameHint: "One a line: theirs = ours",
  toolsHint:
    "Calls of destructive tools wait for approval. What you set counts until the tool changes.",
  search: "Search by name or server",
  onlyOf: (server: string) => `Only ${server}`,
  showAll: "Show those of all servers",
  noTools: "No tool fits.",
  noneYet: "No tools yet",
  noneYetHint: "Tools come from servers. Add one, and its tools are listed here.",
  toServers: "To the servers",
  tool: "Tool",
  server: "Server",
  effect: "What a call does",
  effects: { read_only: "Reads only", additive: "Adds", destructive: "May destroy" },
  bySelf: "As its server says",
  bySelfAs: (effect: string) => `As is: ${effect}`,
  effectBy: {
    administrator: "set by an administrator",
    server: "its server says so",
    default: "its server says nothing",
  },
  waits: "waits for approval",
  changedHint:
    "A tool that a server adds or changes is withheld until an administrator has read what is new: the " +
    "text instructs the model.",
  noneChanged: "No tool waits for approval",
  noneChangedHint: "All tools are as they were approved.",
  of: (server: string) => `of ${server}`,
  approve: "Approve",
  approved: (name: string) => `${name} is offered now.`,
  parts: {
    title: "Title",
    description: "Description",
    inputSchema: "Arguments",
    outputSchema: "Result",
    annotations: "Annotations",
  },
  added: "added:",
  removed: "removed:",
};

const de = {
  test: "Verbindung prüfen",
  testFound: (tools: string, ms: string) =>
    `Er antwortet in ${ms} ms und bietet ${tools === "1" ? "1 Werkzeug" : `${tools} Werkzeuge`}.`,
  testTools: "Werkzeuge des geprüften Servers",
  tabsLabel: "Werkzeuge",
  tabs: {
    servers: "Server",
    list: "Werkzeuge",
    changed: "Neue und geänderte Werkzeuge",
  },
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
    "signed-out": "Anmeldung nötig",
    down: "Nicht erreichbar",
    disabled: "Deaktiviert",
  },
  stateHints: {
    ready: "Die Verbindung steht.",
    idle: "Er wurde eine Weile nicht gebraucht; der nächste Aufruf verbindet.",
    connecting: "Er wird nach seinen Werkzeugen gefragt.",
    "signed-out":
      "Seine Werkzeuge werden gelesen, sobald die Verwaltung ein Konto verbunden hat.",
    down: "Er antwortet nicht. Alle paar Sekunden wird es erneut versucht.",
    disabled: "Seine Werkzeuge werden nicht angeboten.",
  },
  actions: (name: string) => `Aktionen für ${name}`,
  showTools: "Seine Werkzeuge anzeigen",
  connect: "Eigenes Konto verbinden",
  fillIn: "Eigene Werte eintragen",
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
  addressHint:
    "Streamable HTTP, mit Pfad; stdio:<Name> für ein Programm, das der Betreiber anbietet.",
  headers: "Kopfzeilen",
  headersHint:
    "Gehen mit jeder Anfrage mit, eine je Zeile. Sie werden verschlüsselt gespeichert und nicht " +
    "wieder angezeigt. {{user.id}}, {{user.email}} und {{secret.key}}, das jeder selbst einträgt, sind " +
    "bei jedem Benutzer andere.",
  replaceHeaders: "Gespeicherte Kopfzeilen ersetzen",
  storedHeaders: (names: string) =>
    `Gespeichert: ${names}. Eine neue Adresse braucht sie erneut.`,
  noHeaders: "Es sind keine gespeichert.",
  trusted: "Neue Werkzeuge ungefragt anbieten",
  trustedHint:
    "Sonst warten später hinzugefügte Werkzeuge auf Ihre Genehmigung, und für Kennzeichnungen " +
    "reichen alle nach außen, was sie auch sagen. Geänderte warten immer.",
  withheld: (count: number) => `${count} zu genehmigen`,
  isNew: "Neu",
  oauth: "Anmeldung der Benutzer",
  oauthHint:
    "Für einen Server, der Benutzer anmeldet (OAuth) und Parlance nur durch eine Registrierung von Hand " +
    "kennt.",
  clientId: "Client-ID",
  clientIdHint: "Leer: Parlance registriert sich selbst.",
  clientSecret: "Client-Geheimnis",
  clientSecretHint:
    "Wird verschlüsselt gespeichert und nicht wieder angezeigt. Leer: Das gespeicherte bleibt, außer " +
    "die Client-ID oder der Aussteller ändert sich.",
  issuer: "Aussteller",
  issuerHint:
    "Der einzige Anmeldeserver, bei dem die Client-ID benutzt werden darf. Leer: der erste, den der " +
    "Server nennt.",
  issuerNow: (issuer: string) =>
    `Benutzt bei ${issuer}. Tragen Sie einen anderen ein, um das zu ändern.`,
  redirectUri: "Dort einzutragende Rückkehradresse:",
  scopes: "Rechte, um die gebeten wird",
  scopesHint: "Eines je Zeile. Leer: die, die der Server nennt.",
  names: "Namen der Werkzeuge",
  hide: "Werkzeuge, die nicht angeboten werden",
  hideHint: "Ein Name je Zeile, wie der Server sie nennt.",
  rename: "Andere Namen",
  renameHint: "Einer je Zeile: seiner = unserer",
  toolsHint:
    "Aufrufe zerstörender Werkzeuge warten auf Genehmigung. Was Sie festlegen, gilt, bis sich das " +
    "Werkzeug ändert.",
  search: "Nach Name oder Server suchen",
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
  bySelfAs: (effect: string) => `Wie jetzt: ${effect}`,
  effectBy: {
    administrator: "von der Verwaltung festgelegt",
    server: "sagt sein Server",
    default: "sein Server sagt nichts",
  },
  waits: "wartet auf Genehmigung",
  changedHint:
    "Ein Werkzeug, das ein Server hinzufügt oder ändert, wird zurückgehalten, bis die Verwaltung " +
    "gelesen hat, was neu ist: Der Text leitet das Modell an.",
  noneChanged: "Kein Werkzeug wartet auf Genehmigung",
  noneChangedHint: "Alle Werkzeuge sind so, wie sie genehmigt wurden.",
  of: (server: string) => `von ${server}`,
  approve: "Genehmigen",
  approved: (name: string) => `${name} wird jetzt angeboten.`,
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

export const useToolTexts = texts({ en, de });

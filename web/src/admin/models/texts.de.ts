import type { en } from "./texts.en.ts";

export const de = {
  tabsLabel: "Modelle und Anbieter",
  tabs: { offered: "Modelle", providers: "Anbieter" },
  offeredHint:
    "Woraus gewählt werden kann, in dieser Reihenfolge. Das erste, das antworten kann, ist der " +
    "Standard, wo niemand eines gewählt hat.",
  search: "Teil eines Namens",
  nothing: "Nichts gefunden.",
  noModels: "Noch keine Modelle",
  noModelsHint:
    "Verbinden Sie einen Anbieter und wählen Sie, welche seiner Modelle es gibt.",
  toProviders: "Zu den Anbietern",
  name: "Name",
  nameHint: "So, wie er angezeigt wird.",
  price: "Preis je Million Token, ein / aus",
  noPrice: "keiner",
  state: "Zustand",
  default: "Standard",
  embedding: "Suchindex",
  embeddingHint: "Macht Texte für die Suche vergleichbar; es schreibt keine Antworten.",
  usable: "Bereit",
  disabled: "Deaktiviert",
  enabled: "Aktiviert",
  unusable: "Nicht bereit",
  unusableHint:
    "Der Anbieter ist deaktiviert, hat keinen Schlüssel oder bietet das Modell nicht mehr an.",
  actionsLabel: "Aktionen",
  actions: (name: string) => `Aktionen für ${name}`,
  edit: "Preis und Fähigkeiten",
  makeDefault: "Zum Standard machen",
  up: "Nach oben",
  down: "Nach unten",
  enable: "Aktivieren",
  disable: "Deaktivieren",
  delete: "Löschen",
  deleted: (name: string) => `${name} ist gelöscht.`,
  deleteTitle: (name: string) => `${name} löschen`,
  deleteText:
    "Es lässt sich dann nicht mehr wählen. Erfasster Verbrauch bleibt. Das lässt sich nicht " +
    "rückgängig machen.",
  save: "Speichern",
  saved: "Gespeichert. Es gilt sofort.",
  prices: "Preis einer Million Token",
  pricesHint: "Verbrauch und Budgets rechnen damit. Leer lassen, was nichts kostet.",
  priceNames: {
    inputPerMillion: "Eingabe",
    outputPerMillion: "Ausgabe",
    cachedInputPerMillion: "Gepuffert",
  },
  currency: "Währung",
  contextWindow: "Kontextfenster, Token",
  contextWindowHint: "Unbekannt: 32.000 werden angenommen.",
  maxOutput: "Längste Antwort, Token",
  prefixesByName: "Die üblichen Wörter vor jedem Text",
  prefixesHint:
    "Manche Modelle erwarten Wörter vor einer Frage und vor einer Textstelle; ihr Name sagt, welche. " +
    "Eine Änderung gilt für Texte, die danach eingebettet werden.",
  queryPrefix: "Vor einer Frage",
  passagePrefix: "Vor einer Textstelle",
  abilities: "Fähigkeiten",
  capabilities: {
    tools: "Benutzt Werkzeuge",
    vision: "Liest Bilder",
    reasoning: "Denkt vor der Antwort nach",
  },
  providersHint:
    "Konten bei Unternehmen und eigene Server. Schlüssel werden verschlüsselt gespeichert.",
  connect: "Anbieter verbinden",
  noProviders: "Noch keine Anbieter",
  noProvidersHint:
    "Verbinden Sie einen mit Adresse und Schlüssel und wählen Sie seine Modelle.",
  fromEnvironment: "Aus der Umgebung",
  fromEnvironmentHint:
    "Durch Umgebungsvariablen gesetzt: lässt sich deaktivieren, aber nicht löschen.",
  keyGone: "Schlüssel fehlt",
  keyGoneHint: "Der Schlüssel ist nicht mehr in der Umgebung.",
  addModels: "Modelle hinzufügen",
  addModelsTo: (name: string) => `Modelle von ${name}`,
  added: "Hinzugefügt. Sie lassen sich jetzt wählen.",
  allAdded: "Alle Modelle, die er nennt, gibt es hier schon.",
  byName: "Oder ein Modell nach seinem Namen beim Anbieter",
  byNameHint: "Für Modelle, die der Anbieter nicht nennt.",
  isEmbedding: "Für den Suchindex",
  add: "Hinzufügen",
  test: "Verbindung prüfen",
  testTitle: (name: string) => `${name} prüfen`,
  works: (models: string, ms: string) =>
    `Die Antwort kam nach ${ms} ms. Es gibt ${models} Modelle.`,
  change: "Adresse und Schlüssel ändern",
  changeTitle: (name: string) => `${name} ändern`,
  testAndSave: "Prüfen und speichern",
  secretsHint:
    "••• steht für ein gespeichertes Geheimnis. Es bleibt, wenn Sie kein anderes schreiben. Eine " +
    "neue Adresse braucht ihren Schlüssel erneut.",
  deleteProviderText:
    "Seine Modelle lassen sich nicht mehr wählen, und sein Schlüssel wird gelöscht. Erfasster " +
    "Verbrauch bleibt. Das lässt sich nicht rückgängig machen.",
} satisfies typeof en;

import { texts } from "../../texts/language.ts";

const en = {
  tabsLabel: "Models and providers",
  tabs: { offered: "Models", providers: "Providers" },
  offeredHint:
    "What users choose from, in this order. The first that can answer is the default where nobody " +
    "chose one.",
  search: "Part of a name",
  nothing: "Nothing found.",
  noModels: "No models yet",
  noModelsHint: "Connect a provider and choose which of its models are offered.",
  toProviders: "To the providers",
  name: "Name",
  nameHint: "As users see it.",
  price: "Price per million tokens, in / out",
  noPrice: "none",
  state: "State",
  default: "Default",
  kind: "What it is for",
  kinds: {
    completion: "Answers",
    embedding: "Search index",
    image: "Images",
    speech: "Speech",
    transcription: "Transcription",
    moderation: "Moderation",
  },
  offlineHint:
    "No language model: it quotes from documents, and only where no model can answer.",
  quotesOnly: "Quotes only",
  usable: "Ready",
  disabled: "Disabled",
  unusable: "Not ready",
  unusableHint: "Its provider is disabled or lacks its key, or no longer offers the model.",
  actionsLabel: "Actions",
  actions: (name: string) => `Actions for ${name}`,
  edit: "Price and abilities",
  makeDefault: "Make default",
  up: "Move up",
  down: "Move down",
  enable: "Enable",
  disable: "Disable",
  delete: "Delete",
  manyEnabled: (count: number) =>
    count === 1 ? "1 model is enabled." : `${count} models are enabled.`,
  manyDisabled: (count: number) =>
    count === 1 ? "1 model is disabled." : `${count} models are disabled.`,
  deleteManyTitle: (count: number) =>
    count === 1 ? "Delete 1 model?" : `Delete ${count} models?`,
  deleteManyText:
    "Users can no longer choose them. Recorded usage stays. This cannot be undone.",
  manyDeleted: (count: number) =>
    count === 1 ? "1 model is deleted." : `${count} models are deleted.`,
  deleted: (name: string) => `${name} is deleted.`,
  deleteTitle: (name: string) => `Delete ${name}`,
  deleteText: "Users can no longer choose it. Recorded usage stays. This cannot be undone.",
  save: "Save",
  saved: "Saved. It counts at once.",
  prices: "Price of a million tokens",
  pricesHint: "Usage and budgets count with it. Leave empty where it costs nothing.",
  priceNames: {
    inputPerMillion: "Input",
    outputPerMillion: "Output",
    cachedInputPerMillion: "Cached input",
    cacheWriteInputPerMillion: "Cache writes",
    perImage: "An image",
    perMinute: "A minute",
    perMillionCharacters: "1,000,000 characters",
  },
  currency: "Currency",
  contextWindow: "Context window, tokens",
  contextWindowHint: "Unknown: 32,000 are assumed.",
  maxOutput: "Longest answer, tokens",
  prefixesByName: "Usual words before each text",
  prefixesHint:
    "Some models expect words before a question and before a passage; their name says which. " +
    "A change counts for texts that are embedded from then on.",
  queryPrefix: "Before a question",
  passagePrefix: "Before a passage",
  temperature: "Temperature where nobody says one",
  temperatureHint: "0 answers alike each time, 2 most freely. Empty: as its provider does.",
  parameters: "Default parameters",
  parametersHint:
    "They hold where neither a request nor its agent says otherwise. What its provider has no place for is " +
    "refused when you save.",
  fallbacks: "When it fails",
  fallbacksHint:
    "These answer in its place, in this order, where it cannot be reached, is at its limit or has no " +
    "credit left. The answer says so. Each answers only those who may use it.",
  sameVectors:
    "Only the same model at another provider, by the same name: vectors of different models cannot be " +
    "compared.",
  fallbackAt: (place: string) => `Fallback ${place}`,
  noFallback: "None",
  sharing: "Share the load",
  sharingHint:
    "For the same model at several addresses or accounts. A conversation stays at one of them, where its " +
    "beginning is cached, while that answers. A weight makes a fallback one of them.",
  sharingWay: "How it is shared",
  sharingBy: {
    none: "No: fallbacks answer only when it fails",
    weight: "By weight",
    least_busy: "To the least busy",
  },
  ownWeight: "Its own weight",
  weightOf: (name: string) => `Weight of ${name}`,
  abilities: "Abilities",
  readsTokens: (tokens: string) => `reads ${tokens}`,
  visionUnknown:
    "It is not known whether it reads images: they are tried. Say it under Price and abilities.",
  visionUnsaid: "Images: not known",
  capabilities: {
    tools: "Uses tools",
    reasoning: "Reasons before it answers",
  },
  files: "Files as they are",
  filesHint:
    "Where its provider's API has a place for them. Otherwise it reads the text of a PDF, and what is " +
    "said in a recording. Where it is not known, images are tried, and for the others its name decides.",
  reads: { vision: "Reads images", documents: "Reads PDFs", audio: "Hears recordings" },
  readsAnswers: { unknown: "Not known", yes: "Yes", no: "No" },
  providersHint:
    "Accounts at companies, and servers of your own. Keys are stored encrypted.",
  connect: "Connect a provider",
  addresses: "Allowed private addresses",
  addressesHint:
    "Administrators allowed them for providers and tool servers. Nothing else is called there.",
  revoke: "Revoke",
  revokeAddress: (address: string) => `Revoke ${address}`,
  revokeAddressText:
    "New calls to it are refused at once. Those that run go on to their end.",
  addressRevoked: (address: string) => `${address} is no longer allowed.`,
  noProviders: "No providers yet",
  noProvidersHint: "Connect one with its address and key, and choose its models.",
  fromEnvironment: "From the environment",
  fromEnvironmentHint: "Set by environment variables: it can be disabled, not deleted.",
  keyGone: "Key missing",
  keyGoneHint: "Its key is no longer in the environment.",
  addModels: "Add models",
  addModelsTo: (name: string) => `Models of ${name}`,
  added: "Added. Users can choose them now.",
  allAdded: "All models that it lists are offered already.",
  byName: "Or a model by its name at the provider",
  byNameHint: "For models that the provider does not list.",
  add: "Add",
  test: "Test the connection",
  testTitle: (name: string) => `Test ${name}`,
  works: (models: string, ms: string) =>
    `It answered in ${ms} ms and offers ${models} models.`,
  change: "Change address and key",
  changeTitle: (name: string) => `Change ${name}`,
  testAndSave: "Test and save",
  secretsHint:
    "••• stands for a stored secret, which stays unless you write another. A new address needs " +
    "its key again.",
  deleteProviderText:
    "Its models can no longer be chosen, and its key is deleted. Recorded usage stays. This cannot " +
    "be undone.",
};

const de = {
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
  kind: "Wofür es da ist",
  kinds: {
    completion: "Antworten",
    embedding: "Suchindex",
    image: "Bilder",
    speech: "Sprachausgabe",
    transcription: "Transkription",
    moderation: "Moderation",
  },
  offlineHint:
    "Kein Sprachmodell: Es zitiert aus Dokumenten, und nur, wo kein Modell antworten kann.",
  quotesOnly: "Nur Zitate",
  usable: "Bereit",
  disabled: "Deaktiviert",
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
  manyEnabled: (count: number) =>
    count === 1 ? "1 Modell ist aktiviert." : `${count} Modelle sind aktiviert.`,
  manyDisabled: (count: number) =>
    count === 1 ? "1 Modell ist deaktiviert." : `${count} Modelle sind deaktiviert.`,
  deleteManyTitle: (count: number) =>
    count === 1 ? "1 Modell löschen?" : `${count} Modelle löschen?`,
  deleteManyText:
    "Benutzer können sie nicht mehr wählen. Erfasste Nutzung bleibt. Das lässt sich nicht " +
    "rückgängig machen.",
  manyDeleted: (count: number) =>
    count === 1 ? "1 Modell ist gelöscht." : `${count} Modelle sind gelöscht.`,
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
    cacheWriteInputPerMillion: "Neu gepuffert",
    perImage: "Ein Bild",
    perMinute: "Eine Minute",
    perMillionCharacters: "1.000.000 Zeichen",
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
  temperature: "Temperatur, wo niemand eine nennt",
  temperatureHint: "Bei 0 stets ähnlich, bei 2 am freiesten. Leer: wie beim Anbieter.",
  parameters: "Voreingestellte Parameter",
  parametersHint:
    "Sie gelten, wo weder eine Anfrage noch ihr Agent etwas anderes sagt. Was der Anbieter nicht annimmt, " +
    "wird beim Speichern abgelehnt.",
  fallbacks: "Wenn es ausfällt",
  fallbacksHint:
    "Diese antworten an seiner Stelle, in dieser Reihenfolge, wenn es nicht erreichbar ist, an seiner " +
    "Grenze ist oder kein Guthaben mehr hat. Die Antwort sagt es. Jedes antwortet nur denen, die es " +
    "benutzen dürfen.",
  sameVectors:
    "Nur dasselbe Modell bei einem anderen Anbieter, mit gleichem Namen: Vektoren verschiedener Modelle " +
    "lassen sich nicht vergleichen.",
  fallbackAt: (place: string) => `Vertretung ${place}`,
  noFallback: "Keine",
  sharing: "Last teilen",
  sharingHint:
    "Für dasselbe Modell unter mehreren Adressen oder Konten. Eine Unterhaltung bleibt bei einem davon, " +
    "wo ihr Anfang gepuffert ist, solange es antwortet. Ein Gewicht macht eine Vertretung dazu.",
  sharingWay: "Wie sie geteilt wird",
  sharingBy: {
    none: "Nein: Vertretungen antworten nur bei einem Ausfall",
    weight: "Nach Gewicht",
    least_busy: "An das am wenigsten belastete",
  },
  ownWeight: "Das eigene Gewicht",
  weightOf: (name: string) => `Gewicht von ${name}`,
  abilities: "Fähigkeiten",
  readsTokens: (tokens: string) => `liest ${tokens}`,
  visionUnknown:
    "Ob es Bilder liest, ist nicht bekannt: Es wird versucht. Eintragen lässt es sich unter Preis und Fähigkeiten.",
  visionUnsaid: "Bilder: nicht bekannt",
  capabilities: {
    tools: "Benutzt Werkzeuge",
    reasoning: "Denkt vor der Antwort nach",
  },
  files: "Dateien, wie sie sind",
  filesHint:
    "Wo die Schnittstelle des Anbieters sie annimmt. Sonst liest es den Text einer PDF-Datei und was in " +
    "einer Aufnahme gesagt wird. Ist es nicht bekannt, werden Bilder versucht; sonst entscheidet sein Name.",
  reads: {
    vision: "Liest Bilder",
    documents: "Liest PDF-Dateien",
    audio: "Hört Aufnahmen",
  },
  readsAnswers: { unknown: "Nicht bekannt", yes: "Ja", no: "Nein" },
  providersHint:
    "Konten bei Unternehmen und eigene Server. Schlüssel werden verschlüsselt gespeichert.",
  connect: "Anbieter verbinden",
  addresses: "Erlaubte private Adressen",
  addressesHint:
    "Administratoren haben sie für Anbieter und Werkzeugserver erlaubt. Sonst wird dort nichts aufgerufen.",
  revoke: "Zurücknehmen",
  revokeAddress: (address: string) => `Erlaubnis für ${address} zurücknehmen`,
  revokeAddressText: "Neue Aufrufe werden sofort abgelehnt. Laufende gehen zu Ende.",
  addressRevoked: (address: string) => `${address} ist nicht mehr erlaubt.`,
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

export const useModelTexts = texts({ en, de });

import { texts } from "../../texts/language.ts";

const en = {
  cancel: "Cancel",
  provider: "Provider",
  test: "Test the connection",
  testing: "Asking the provider which models it has …",
  works: (count: number) =>
    count === 1 ? "It works. It offers one model." : `It works. It offers ${count} models.`,
  chooseModels: "Models to use",
  filterModels: "Search models",
  kinds: {
    embedding: "for the search index",
    image: "for images",
    speech: "for speech",
    transcription: "for transcription",
    moderation: "for moderation",
  },
  useModels: (count: number) =>
    count === 1 ? "Use this model" : `Use these ${count} models`,
  connected: "Connected. It answers from now on.",
  found: "Found on this machine",
  modelsOf: (count: number) => (count === 1 ? "one model" : `${count} models`),
  connectIt: "Connect",
  connectAccount: (server: string) => `Connect your account at ${server}`,
  fillIn: (server: string) => `Fill in what ${server} needs of you`,
  valuesTitle: (server: string) => `What ${server} needs of you`,
  valuesHint:
    "Your own keys there, for example. They are stored encrypted, sent to this server alone with " +
    "your calls, and not shown again.",
  valueIsSet: "It is filled in. Leave it empty to keep it.",
  valuesSave: "Save",
  valuesSaved: (server: string) => `Saved. ${server} is called with your values.`,
  isPrivate: (address: string) =>
    `${address} is a private address. Only what you allow is called there: providers and tool servers at this host and port, nothing else.`,
  allow: (address: string) => `Allow ${address} for models and tools`,
};

const de = {
  cancel: "Abbrechen",
  provider: "Anbieter",
  test: "Verbindung prüfen",
  testing: "Der Anbieter wird nach seinen Modellen gefragt …",
  works: (count: number) =>
    count === 1
      ? "Die Verbindung steht. Es gibt ein Modell."
      : `Die Verbindung steht. Es gibt ${count} Modelle.`,
  chooseModels: "Modelle, die verwendet werden",
  filterModels: "Modelle suchen",
  kinds: {
    embedding: "für den Suchindex",
    image: "für Bilder",
    speech: "für Sprachausgabe",
    transcription: "für Transkription",
    moderation: "für Moderation",
  },
  useModels: (count: number) =>
    count === 1 ? "Dieses Modell verwenden" : `Diese ${count} Modelle verwenden`,
  connected: "Verbunden. Ab jetzt antwortet dieses Modell.",
  found: "Auf diesem Rechner gefunden",
  modelsOf: (count: number) => (count === 1 ? "ein Modell" : `${count} Modelle`),
  connectIt: "Verbinden",
  connectAccount: (server: string) => `Ihr Konto bei ${server} verbinden`,
  fillIn: (server: string) => `Eintragen, was ${server} von Ihnen braucht`,
  valuesTitle: (server: string) => `Was ${server} von Ihnen braucht`,
  valuesHint:
    "Zum Beispiel Ihre eigenen Schlüssel dort. Sie werden verschlüsselt gespeichert, nur an diesen " +
    "Server und nur mit Ihren Aufrufen geschickt und nicht wieder angezeigt.",
  valueIsSet: "Ist eingetragen. Leer lassen, um es zu behalten.",
  valuesSave: "Speichern",
  valuesSaved: (server: string) =>
    `Gespeichert. ${server} wird mit Ihren Werten aufgerufen.`,
  isPrivate: (address: string) =>
    `${address} ist eine private Adresse. Dort wird nur aufgerufen, was Sie erlauben: Anbieter und Werkzeugserver an diesem Rechner und Port, sonst nichts.`,
  allow: (address: string) => `${address} für Modelle und Werkzeuge erlauben`,
} satisfies typeof en;

export const useConnectTexts = texts({ en, de });

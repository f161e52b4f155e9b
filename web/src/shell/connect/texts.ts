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
  isPrivate: (address: string) =>
    `${address} ist eine private Adresse. Dort wird nur aufgerufen, was Sie erlauben: Anbieter und Werkzeugserver an diesem Rechner und Port, sonst nichts.`,
  allow: (address: string) => `${address} für Modelle und Werkzeuge erlauben`,
} satisfies typeof en;

export const useConnectTexts = texts({ en, de });

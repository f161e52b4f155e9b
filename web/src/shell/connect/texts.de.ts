import type { en } from "./texts.en.ts";

export const de = {
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
  embedding: "für den Suchindex",
  useModels: (count: number) =>
    count === 1 ? "Dieses Modell verwenden" : `Diese ${count} Modelle verwenden`,
  connected: "Verbunden. Ab jetzt antwortet dieses Modell.",
} satisfies typeof en;

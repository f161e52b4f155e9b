import { texts } from "../../texts/language.ts";

const en = {
  title: "Search index",
  hint: "Documents are found by the meaning that this model sees in them, and by their words.",
  model: "Model",
  provider: "Provider",
  local: "built in: similar words are found, not meanings",
  dimensions: "Dimensions",
  unreachable:
    "This model cannot be asked any more, so documents are found by their words only. Enable it and its provider, or choose another one.",
  change: "Change of the model",
  changing: (model: string) =>
    `${model} reads all documents and takes over when it is done.`,
  failing: "The last attempt failed and is repeated until it succeeds.",
  refused: (chunks: string) =>
    `Chunks too long for it, found by their words only: ${chunks}`,
  embedded: (embedded: string, chunks: string) => `${embedded} of ${chunks} chunks`,
  cancel: "Cancel the change",
  cancelTitle: "Cancel the change?",
  cancelText: (model: string, embedded: string) =>
    `The model in use stays. Chunks that ${model} has read so far, which are discarded: ${embedded}.`,
  cancelled: (model: string) => `${model} stays in use.`,
  candidates: "Models to choose from",
  candidatesHint:
    "Another model reads all documents in the background and takes over when it is done. Search works all the time.",
  toModels: "Add embedding models to the catalogue",
  sources: {
    environment: "from the settings of the server",
    "built-in": "built in: similar words are found, not meanings",
  },
  dimensionCount: (dimensions: string) => `${dimensions} dimensions`,
  uses: { current: "in use", next: "takes over" },
  test: "Test",
  testOf: (name: string) => `Test ${name}`,
  testTitle: (name: string) => `Test of ${name}`,
  works: (dimensions: string, ms: string) =>
    `It answers: ${dimensions} dimensions in ${ms} ms.`,
  cost: (chunks: string) =>
    `Chunks that it has to read before it takes over: ${chunks}. A provider may charge for that.`,
  choose: "Use this model",
  retryHint: (chunks: string) =>
    `After a change of its limits, it can take chunks that were too long for it: ${chunks}.`,
  retryRefused: "Try these chunks again",
  chosen: (model: string) => `${model} begins to read all documents.`,
  inUse: (model: string) => `${model} is in use.`,
};

const de = {
  title: "Suchindex",
  hint: "Dokumente werden nach der Bedeutung gefunden, die dieses Modell in ihnen sieht, und nach ihren Wörtern.",
  model: "Modell",
  provider: "Anbieter",
  local: "eingebaut: findet ähnliche Wörter, nicht Bedeutungen",
  dimensions: "Dimensionen",
  unreachable:
    "Dieses Modell ist nicht mehr erreichbar; Dokumente werden nur nach ihren Wörtern gefunden. Schalten Sie es und seinen Anbieter ein, oder wählen Sie ein anderes.",
  change: "Wechsel des Modells",
  changing: (model: string) =>
    `${model} liest alle Dokumente und übernimmt, wenn es damit fertig ist.`,
  failing: "Der letzte Versuch ist gescheitert und wird wiederholt, bis er gelingt.",
  refused: (chunks: string) =>
    `Abschnitte, die zu lang für es sind und nur nach ihren Wörtern gefunden werden: ${chunks}`,
  embedded: (embedded: string, chunks: string) => `${embedded} von ${chunks} Abschnitten`,
  cancel: "Wechsel abbrechen",
  cancelTitle: "Den Wechsel abbrechen?",
  cancelText: (model: string, embedded: string) =>
    `Das bisherige Modell bleibt. Abschnitte, die ${model} schon gelesen hat und die verworfen werden: ${embedded}.`,
  cancelled: (model: string) => `${model} bleibt in Gebrauch.`,
  candidates: "Modelle zur Wahl",
  candidatesHint:
    "Ein anderes Modell liest im Hintergrund alle Dokumente und übernimmt, wenn es fertig ist. Die Suche geht immer.",
  toModels: "Suchmodelle in den Katalog aufnehmen",
  sources: {
    environment: "aus den Einstellungen des Servers",
    "built-in": "eingebaut: findet ähnliche Wörter, nicht Bedeutungen",
  },
  dimensionCount: (dimensions: string) => `${dimensions} Dimensionen`,
  uses: { current: "in Gebrauch", next: "übernimmt" },
  test: "Prüfen",
  testOf: (name: string) => `${name} prüfen`,
  testTitle: (name: string) => `Prüfung von ${name}`,
  works: (dimensions: string, ms: string) =>
    `Es antwortet: ${dimensions} Dimensionen in ${ms} ms.`,
  cost: (chunks: string) =>
    `Abschnitte, die es lesen muss, bevor es übernimmt: ${chunks}. Ein Anbieter kann das berechnen.`,
  choose: "Dieses Modell verwenden",
  retryHint: (chunks: string) =>
    `Wurden seine Grenzen geändert, nimmt es vielleicht Abschnitte an, die zu lang waren: ${chunks}.`,
  retryRefused: "Diese Abschnitte erneut versuchen",
  chosen: (model: string) => `${model} beginnt, alle Dokumente zu lesen.`,
  inUse: (model: string) => `${model} ist in Gebrauch.`,
} satisfies typeof en;

export const useEmbeddingTexts = texts({ en, de });

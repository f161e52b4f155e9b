import type { en } from "./texts.en.ts";

export const de = {
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

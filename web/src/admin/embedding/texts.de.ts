import type { en } from "./texts.en.ts";

export const de = {
  title: "Suchindex",
  hint: "Dokumente werden nach der Bedeutung gefunden, die dieses Modell in ihnen sieht, und nach ihren Wörtern.",
  model: "Modell",
  provider: "Anbieter",
  local: "eingebaut: findet ähnliche Wörter, nicht Bedeutungen",
  dimensions: "Dimensionen",
  change: "Ein anderes Modell",
  changeHint:
    "Die Einstellungen des Servers nennen das Modell. Nach einem Neustart mit anderen liest das neue " +
    "Modell im Hintergrund alle Dokumente und übernimmt, wenn es fertig ist. Die Suche geht immer.",
  changing: (model: string) =>
    `${model} liest alle Dokumente und übernimmt, wenn es damit fertig ist.`,
  failing: "Der letzte Versuch ist gescheitert und wird wiederholt, bis er gelingt.",
  refused: (chunks: string) =>
    `Abschnitte, die zu lang für es sind und nur nach ihren Wörtern gefunden werden: ${chunks}`,
  embedded: (embedded: string, chunks: string) => `${embedded} von ${chunks} Abschnitten`,
} satisfies typeof en;

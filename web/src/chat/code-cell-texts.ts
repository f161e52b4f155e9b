import { texts } from "../texts/language.ts";

const en = {
  prints: "Output",
  nothing: "It printed nothing.",
  files: "Files",
  save: (name: string) => `Download ${name}`,
};

const de: typeof en = {
  prints: "Ausgabe",
  nothing: "Es wurde nichts ausgegeben.",
  files: "Dateien",
  save: (name) => `${name} herunterladen`,
};

export const useCodeCellTexts = texts({ en, de });

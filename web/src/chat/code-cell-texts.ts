import { isolate } from "../texts/isolate.ts";
import { texts } from "../texts/language.ts";

const en = {
  prints: "Output",
  nothing: "It printed nothing.",
  files: "Files",
  preview: (name: string) => `Beginning of ${isolate(name)}`,
  save: (name: string) => `Download ${isolate(name)}`,
  enlarge: (name: string) => `Enlarge: ${isolate(name)}`,
};

const de: typeof en = {
  prints: "Ausgabe",
  nothing: "Es wurde nichts ausgegeben.",
  files: "Dateien",
  preview: (name) => `Anfang von ${isolate(name)}`,
  save: (name) => `${isolate(name)} herunterladen`,
  enlarge: (name) => `Vergrößern: ${isolate(name)}`,
};

export const useCodeCellTexts = texts({ en, de });

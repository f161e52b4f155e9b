import { texts } from "../texts/language.ts";

const en = {
  hint: "How the text would be cut otherwise. Nothing is changed: the search keeps its chunks.",
  method: "Way to cut",
  methods: {
    lib_recursive: "At headings, paragraphs and sentences",
    lib_text_splitter: "At paragraphs",
    semchunk: "Where the subject changes",
    fixed_size: "Every so many tokens",
  },
  asFolder: "As it is cut now",
  size: "Tokens a chunk",
  overlap: "Tokens of overlap",
  cut: "Cut",
  total: (total: string, shown: string) =>
    total === shown
      ? `${total} chunks`
      : `${total} chunks, of which these are the first ${shown}`,
  tokens: (count: string) => `${count} tokens`,
};
const de = {
  hint: "Wie der Text anders geteilt würde. Nichts ändert sich: Die Suche behält ihre Abschnitte.",
  method: "Art zu teilen",
  methods: {
    lib_recursive: "An Überschriften, Absätzen und Sätzen",
    lib_text_splitter: "An Absätzen",
    semchunk: "Wo das Thema wechselt",
    fixed_size: "Nach so vielen Tokens",
  },
  asFolder: "Wie jetzt",
  size: "Tokens je Abschnitt",
  overlap: "Tokens Überlappung",
  cut: "Teilen",
  total: (total: string, shown: string) =>
    total === shown
      ? `${total} Abschnitte`
      : `${total} Abschnitte, davon die ersten ${shown}`,
  tokens: (count: string) => `${count} Tokens`,
} satisfies typeof en;

export const useCutTexts = texts({ en, de });

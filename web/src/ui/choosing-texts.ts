import { texts } from "../texts/language.ts";

const en = {
  choose: (name: string) => `Choose ${name}`,
  all: "Choose all",
  none: "Choose none",
  chosen: (count: number) => `${count} chosen`,
  allFound: "Choose all found",
  notAll: "So many are chosen at most at once. Handle these first, then the rest.",
};

const de = {
  choose: (name: string) => `${name} auswählen`,
  all: "Alle auswählen",
  none: "Auswahl aufheben",
  chosen: (count: number) => `${count} ausgewählt`,
  allFound: "Alle gefundenen auswählen",
  notAll:
    "Mehr lassen sich nicht auf einmal auswählen. Bearbeiten Sie erst diese, dann die übrigen.",
} satisfies typeof en;

export const useChoosingTexts = texts({ en, de });

import { texts } from "../texts/language.ts";

const en = {
  choose: (name: string) => `Choose ${name}`,
  all: "Choose all",
  none: "Choose none",
  chosen: (count: number) => `${count} chosen`,
};

const de = {
  choose: (name: string) => `${name} auswählen`,
  all: "Alle auswählen",
  none: "Auswahl aufheben",
  chosen: (count: number) => `${count} ausgewählt`,
} satisfies typeof en;

export const useChoosingTexts = texts({ en, de });

import { texts } from "../texts/language.ts";

const en = { page: (page: number) => `Page ${page}`, download: "Download the file" };
const de = {
  page: (page: number) => `Seite ${page}`,
  download: "Datei herunterladen",
} satisfies typeof en;

export const usePassageTexts = texts({ en, de });

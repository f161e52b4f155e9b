import { texts } from "../texts/language.ts";

const en = {
  names: {
    documents: "Documents",
    web: "Web",
    code: "Code",
    tools: "Tools",
    images: "Make and change images",
    canvas: "Write texts beside the conversation",
    research: "Research, with a plan and a report",
  },
  hints: {
    documents: "The model searches all documents that you may see",
    web: "The model searches the web and reads pages",
    code: "The model runs programs to compute and to draw",
  },
  tools: (count: number) => (count === 0 ? "Tools" : `Tools: ${count} on`),
  servers: "Tool servers",
  count: (tools: number) => (tools === 1 ? "1 tool" : `${tools} tools`),
};
const de = {
  names: {
    documents: "Dokumente",
    web: "Web",
    code: "Code",
    tools: "Werkzeuge",
    images: "Bilder erzeugen und ändern",
    canvas: "Texte neben der Unterhaltung schreiben",
    research: "Recherchieren, mit Plan und Bericht",
  },
  hints: {
    documents: "Das Modell durchsucht alle Dokumente, die Sie sehen dürfen",
    web: "Das Modell durchsucht das Web und liest Seiten",
    code: "Das Modell führt Programme aus, um zu rechnen und zu zeichnen",
  },
  tools: (count: number) => (count === 0 ? "Werkzeuge" : `Werkzeuge: ${count} an`),
  servers: "Werkzeugserver",
  count: (tools: number) => (tools === 1 ? "1 Werkzeug" : `${tools} Werkzeuge`),
} satisfies typeof en;

export const useSwitchTexts = texts({ en, de });

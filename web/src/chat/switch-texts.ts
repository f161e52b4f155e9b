import { isolate } from "../texts/isolate.ts";
import { texts } from "../texts/language.ts";

const en = {
  names: {
    documents: "Documents",
    web: "Web",
    code: "Code",
    tools: "Tools",
    images: "Images",
    canvas: "Texts",
    tables: "Tables",
    research: "Research",
    flows: "Flows",
  },
  hints: {
    documents: "The model searches all documents that you may see",
    web: "The model searches the web and reads pages",
    code: "The model runs programs to compute and to draw",
    images: "The model makes and changes images",
    canvas: "The model writes texts beside the conversation",
    tables: "The model computes in the tables of documents",
    research: "The model searches by a plan and writes a report",
    flows: "The model runs flows that you may use",
  },
  withoutSearch:
    "No search engine is set up: the model reads only pages whose addresses you write.",
  addEngine: "Add a search engine",
  tools: (count: number) => (count === 0 ? "Tools" : `Tools ${count} on`),
  toolsOn: (count: number, names: string[]) =>
    `Tools ${count} on: ${names.map(isolate).join(", ")}`,
  servers: "Tool servers",
  turnOff: (name: string) => `${name}: on. Switch off`,
};
const de = {
  names: {
    documents: "Dokumente",
    web: "Web",
    code: "Code",
    tools: "Werkzeuge",
    images: "Bilder",
    canvas: "Texte",
    tables: "Tabellen",
    research: "Recherche",
    flows: "Abläufe",
  },
  hints: {
    documents: "Das Modell durchsucht alle Dokumente, die Sie sehen dürfen",
    web: "Das Modell durchsucht das Web und liest Seiten",
    code: "Das Modell führt Programme aus, um zu rechnen und zu zeichnen",
    images: "Das Modell erzeugt und ändert Bilder",
    canvas: "Das Modell schreibt Texte neben der Unterhaltung",
    tables: "Das Modell rechnet in den Tabellen von Dokumenten",
    research: "Das Modell recherchiert nach einem Plan und schreibt einen Bericht",
    flows: "Das Modell führt Abläufe aus, die Sie benutzen dürfen",
  },
  withoutSearch:
    "Es ist keine Suchmaschine eingerichtet: Das Modell liest nur Seiten, deren Adressen Sie schreiben.",
  addEngine: "Suchmaschine hinzufügen",
  tools: (count: number) => (count === 0 ? "Werkzeuge" : `Werkzeuge ${count} an`),
  toolsOn: (count: number, names: string[]) =>
    `Werkzeuge ${count} an: ${names.map(isolate).join(", ")}`,
  servers: "Werkzeugserver",
  turnOff: (name: string) => `${name}: an. Ausschalten`,
} satisfies typeof en;

export const useSwitchTexts = texts({ en, de });

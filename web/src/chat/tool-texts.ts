import type { ToolFigures } from "../../../src/services/agent-loop/contract-events.ts";
import { formatNumber } from "../texts/format.ts";
import { texts } from "../texts/language.ts";

type Unit = ToolFigures["unit"];

const EN_UNITS: Record<Unit, [one: string, many: string]> = {
  passages: ["passage", "passages"],
  documents: ["document", "documents"],
  lines: ["line", "lines"],
  results: ["result", "results"],
  tables: ["table", "tables"],
  rows: ["row", "rows"],
};
const DE_UNITS: Record<Unit, [one: string, many: string, ofMany: string]> = {
  passages: ["Abschnitt", "Abschnitte", "Abschnitten"],
  documents: ["Dokument", "Dokumente", "Dokumenten"],
  lines: ["Zeile", "Zeilen", "Zeilen"],
  results: ["Ergebnis", "Ergebnisse", "Ergebnissen"],
  tables: ["Tabelle", "Tabellen", "Tabellen"],
  rows: ["Zeile", "Zeilen", "Zeilen"],
};

const en = {
  running: "runs",
  ran: (seconds: string) => `${seconds} s`,
  failed: "failed",
  figures: ({ unit, count, of }: ToolFigures) => {
    const [one, many] = EN_UNITS[unit];
    const number = formatNumber(count);
    if (of === undefined) return `${number} ${count === 1 ? one : many}`;
    return `${number} of ${formatNumber(of)} ${of === 1 ? one : many}`;
  },
  /** What the tools of the platform do. */
  names: {
    create_canvas: "Create a canvas",
    update_canvas: "Change a canvas",
    read_canvas: "Read a canvas",
    search_documents: "Search the documents",
    list_documents: "List the documents",
    find_in_documents: "Find words in the documents",
    read_document: "Read a document",
    find_tools: "Look for tools",
    search_web: "Search the web",
    read_page: "Read a page of the web",
    describe_tables: "Look at the tables",
    query_table: "Compute in the tables",
    run_javascript: "Run JavaScript",
    run_python: "Run Python",
    make_image: "Make an image",
    edit_image: "Change an image",
    plan_research: "Plan the research",
    investigate: "Look into a question",
    finish_research: "Write the report",
  },
  /** What they have done. */
  done: {
    create_canvas: "Created a canvas",
    update_canvas: "Changed a canvas",
    read_canvas: "Read a canvas",
    search_documents: "Searched the documents",
    list_documents: "Listed the documents",
    find_in_documents: "Looked for words in the documents",
    read_document: "Read a document",
    find_tools: "Looked for tools",
    search_web: "Searched the web",
    read_page: "Read a page of the web",
    describe_tables: "Looked at the tables",
    query_table: "Computed in the tables",
    run_javascript: "Ran JavaScript",
    run_python: "Ran Python",
    make_image: "Made an image",
    edit_image: "Changed an image",
    plan_research: "Planned the research",
    investigate: "Looked into a question",
    finish_research: "Wrote the report",
  },
  input: "Input",
  output: "Output",
  image: (number: number) => `Image ${number} of the result`,
  audio: (number: number) => `Recording ${number} of the result`,
  file: (number: number) => `File ${number} of the result`,
};

const de = {
  running: "läuft",
  ran: (seconds) => `${seconds} s`,
  failed: "fehlgeschlagen",
  figures: ({ unit, count, of }) => {
    const [one, many, ofMany] = DE_UNITS[unit];
    const number = formatNumber(count);
    if (of === undefined) return `${number} ${count === 1 ? one : many}`;
    return `${number} von ${formatNumber(of)} ${of === 1 ? one : ofMany}`;
  },
  names: {
    create_canvas: "Einen Text anlegen",
    update_canvas: "Einen Text ändern",
    read_canvas: "Einen Text lesen",
    search_documents: "Dokumente durchsuchen",
    list_documents: "Dokumente auflisten",
    find_in_documents: "Wörter in Dokumenten finden",
    read_document: "Ein Dokument lesen",
    find_tools: "Werkzeuge suchen",
    search_web: "Im Web suchen",
    read_page: "Eine Seite im Web lesen",
    describe_tables: "Die Tabellen ansehen",
    query_table: "In den Tabellen rechnen",
    run_javascript: "JavaScript ausführen",
    run_python: "Python ausführen",
    make_image: "Ein Bild erzeugen",
    edit_image: "Ein Bild ändern",
    plan_research: "Recherche planen",
    investigate: "Einer Frage nachgehen",
    finish_research: "Bericht schreiben",
  },
  done: {
    create_canvas: "Einen Text angelegt",
    update_canvas: "Einen Text geändert",
    read_canvas: "Einen Text gelesen",
    search_documents: "Dokumente durchsucht",
    list_documents: "Dokumente aufgelistet",
    find_in_documents: "Wörter in Dokumenten gesucht",
    read_document: "Ein Dokument gelesen",
    find_tools: "Werkzeuge gesucht",
    search_web: "Im Web gesucht",
    read_page: "Eine Seite im Web gelesen",
    describe_tables: "Die Tabellen angesehen",
    query_table: "In den Tabellen gerechnet",
    run_javascript: "JavaScript ausgeführt",
    run_python: "Python ausgeführt",
    make_image: "Ein Bild erzeugt",
    edit_image: "Ein Bild geändert",
    plan_research: "Recherche geplant",
    investigate: "Einer Frage nachgegangen",
    finish_research: "Bericht geschrieben",
  },
  input: "Eingabe",
  output: "Ausgabe",
  image: (number) => `Bild ${number} des Ergebnisses`,
  audio: (number) => `Aufnahme ${number} des Ergebnisses`,
  file: (number) => `Datei ${number} des Ergebnisses`,
} satisfies typeof en;

export const useToolTexts = texts({ en, de });

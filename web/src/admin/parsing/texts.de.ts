import type { en } from "./texts.en.ts";

export const de = {
  title: "Einlesen von Dateien",
  hint:
    "Die Leser werden in dieser Reihenfolge gefragt, bis einer die Datei lesen kann. Welche " +
    "eingerichtet sind, sagen die Einstellungen des Servers.",
  isDefault: "wird zuerst gefragt",
  names: {
    document_intelligence: "Dokumentenerkennung in der Cloud",
    pdf_fallback: "Leser für PDF",
    optional_parser_one: "Layoutleser eins (docling-serve)",
    optional_parser_two: "Layoutleser zwei",
    local: "Eingebaute Leser für Dokumente",
    "ocr:model": "Texterkennung durch ein Modell",
    "ocr:tesseract": "Texterkennung durch Tesseract",
    captions: "Bildbeschreibungen durch ein Modell",
  },
  works: "bereit",
  down: "antwortet nicht",
  notSetUp: "nicht eingerichtet",
  ocr: "Scans und Bilder",
  ocrHint: "Was Seiten liest, die Bilder sind, und Bilder in Dokumenten beschreibt.",
  limits: "Grenzen",
  maxFile: "Größte Datei",
  memory: "Speicher des Prozesses einer Datei",
  time: "Zeit eines Prozesses",
  jobTime: "Zeit einer Datei mit allen Schritten",
  processes: "Dateien zugleich",
  perMinute: "Dateien je Minute und Person",
  isolation: "Abschottung",
  isolated: (kind: string) =>
    kind === "none"
      ? "keine: installieren Sie bubblewrap oder util-linux auf dem Server"
      : kind,
  keptOut: "Eine bösartige Datei erreicht nicht",
  notKeptOut: "Nicht abgehalten wird sie von",
  isolationParts: {
    files: "andere Dateien",
    network: "das Netz",
    processes: "andere Prozesse",
    user: "den Benutzer des Servers",
  },
  formats: "Formate",
} satisfies typeof en;

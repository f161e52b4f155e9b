import type { en } from "./texts.en.ts";

export const de = {
  title: "Einlesen von Dateien",
  hint:
    "Die Leser werden in dieser Reihenfolge gefragt, bis einer die Datei lesen kann. Welche " +
    "eingerichtet sind, sagen die Einstellungen des Servers.",
  isDefault: "wird zuerst gefragt",
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

import type { en } from "./texts.en.ts";

export const de = {
  title: "Willkommen bei Parlance",
  intro: "In drei Schritten zu einer Antwort aus einer eigenen Datei.",
  skip: "Weiter zur Unterhaltung",
  modelTitle: "1. Wer antwortet",
  modelReady: (name: string) => `${name} beantwortet Ihre Fragen.`,
  noModel:
    "Kein Sprachmodell ist verbunden. Parlance antwortet mit Zitaten aus Ihren Dateien; das genügt, " +
    "um alles andere auszuprobieren.",
  noModelUser: "Die Administration kann ein Modell verbinden.",
  connect: "Modell verbinden",
  connectAnother: "Weiteres Modell verbinden",
  fileTitle: "2. Eine Datei, nach der Sie fragen",
  fileHint: "PDF, Word, Excel, PowerPoint, E-Mail, Bilder, Text und mehr.",
  drop: "Datei hier ablegen",
  choose: "Datei auswählen",
  sample: "Stattdessen ein Beispiel verwenden",
  reading: (name: string) => `${name} wird gelesen …`,
  ready: (name: string) => `${name} ist bereit.`,
  failed: (name: string) => `${name} konnte nicht gelesen werden.`,
  another: "Andere Datei verwenden",
  askTitle: "3. Ihre Frage",
  question: "Frage",
  placeholder: "Wie viele Urlaubstage haben wir?",
  ask: "Fragen",
  askHint: "Sie können jetzt schreiben; gefragt wird, sobald die Datei bereit ist.",
} satisfies typeof en;

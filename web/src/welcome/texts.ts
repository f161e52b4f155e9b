import { texts } from "../texts/language.ts";

const en = {
  title: "Welcome to Parlance",
  intro: "Get an answer from a file of yours, in three steps.",
  skip: "Skip to the chat",
  modelTitle: "1. What answers",
  modelReady: (name: string) => `${name} answers your questions.`,
  noModel:
    "No language model is connected. Parlance answers with quotes from your files, which is enough " +
    "to try everything else.",
  noModelUser: "An administrator can connect a model.",
  connect: "Connect a model",
  connectAnother: "Connect another model",
  fileTitle: "2. A file to ask about",
  fileHint: "PDF, Word, Excel, PowerPoint, e-mail, images, text and more.",
  drop: "Drop a file here",
  choose: "Choose a file",
  sample: "Use a sample instead",
  reading: (name: string) => `${name} is being read …`,
  ready: (name: string) => `${name} is ready.`,
  failed: (name: string) => `${name} could not be read.`,
  another: "Use another file",
  askTitle: "3. Your question",
  question: "Question",
  placeholder: "How many days of holidays do we have?",
  ask: "Ask",
  askHint: "You can write it now; it is asked as soon as the file is ready.",
};

const de = {
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

export const useWelcomeTexts = texts({ en, de });

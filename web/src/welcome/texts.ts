import { texts } from "../texts/language.ts";

const en = {
  title: (product: string) => `Welcome to ${product}`,
  intro: "Get an answer from files of yours, in three steps.",
  skip: "Skip to the chat",
  start: "Start a conversation",
  startHint:
    "You can come back to files later: attach them to a message, or open Documents.",
  modelTitle: "1. What answers",
  modelReady: (name: string) => `${name} answers your questions.`,
  noModel:
    "No language model is connected. Answers are quotes from your files, which is enough to try " +
    "everything else.",
  noModelUser: "An administrator can connect a model.",
  connect: "Connect a model",
  connectAnother: "Connect another model",
  fileTitle: "2. Files to ask about",
  fileHint: "PDF, Word, Excel, PowerPoint, e-mail, images, text and more.",
  drop: "Drop files here",
  choose: "Choose files",
  more: "Add more files",
  sending: (name: string) => `${name} is being sent …`,
  sample: "Use a sample instead",
  reading: (name: string) => `${name} is being read …`,
  ready: (name: string) => `${name} is ready.`,
  failed: (name: string) => `${name} could not be read.`,
  another: "Use another file",
  askTitle: "3. Your question",
  question: "Question",
  placeholder: "How many days of holidays do we have?",
  ask: "Ask",
  askHint: "You can write it now; it is asked as soon as the files are ready.",
};

const de = {
  title: (product: string) => `Willkommen bei ${product}`,
  intro: "In drei Schritten zu einer Antwort aus eigenen Dateien.",
  skip: "Zur Unterhaltung springen",
  start: "Unterhaltung beginnen",
  startHint:
    "Dateien können Sie auch später hinzufügen: an einer Nachricht oder unter Dokumente.",
  modelTitle: "1. Wer antwortet",
  modelReady: (name: string) => `${name} beantwortet Ihre Fragen.`,
  noModel:
    "Kein Sprachmodell ist verbunden. Antworten sind Zitate aus Ihren Dateien; das genügt, " +
    "um alles andere auszuprobieren.",
  noModelUser: "Die Administration kann ein Modell verbinden.",
  connect: "Modell verbinden",
  connectAnother: "Weiteres Modell verbinden",
  fileTitle: "2. Dateien, nach denen Sie fragen",
  fileHint: "PDF, Word, Excel, PowerPoint, E-Mail, Bilder, Text und mehr.",
  drop: "Dateien hier ablegen",
  choose: "Dateien auswählen",
  more: "Weitere Dateien",
  sending: (name: string) => `${name} wird gesendet …`,
  sample: "Stattdessen ein Beispiel verwenden",
  reading: (name: string) => `${name} wird gelesen …`,
  ready: (name: string) => `${name} ist bereit.`,
  failed: (name: string) => `${name} konnte nicht gelesen werden.`,
  another: "Andere Datei verwenden",
  askTitle: "3. Ihre Frage",
  question: "Frage",
  placeholder: "Wie viele Urlaubstage haben wir?",
  ask: "Fragen",
  askHint: "Sie können jetzt schreiben; gefragt wird, sobald die Dateien bereit sind.",
} satisfies typeof en;

export const useWelcomeTexts = texts({ en, de });

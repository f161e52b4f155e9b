import { texts } from "../../texts/language.ts";

const en = {
  title: "Measure the search",
  hint: "Write questions whose answers you know. Each is asked in every way of searching, and you see which way finds the right documents.",
  questions: "Questions",
  questionsHint:
    "One a line: the question, a bar, and the name of the document that answers it.",
  example: "How many days of leave? | handbook.pdf",
  upload: "Take questions from a file",
  fileUnknown:
    "This file has no such lines. A set that expects passages or ids is measured by the command parlance evaluate.",
  wrongLine: (line: number) =>
    `Line ${line} needs a question, a bar and the name of a document.`,
  noQuestion: "Write at least one question.",
  tooMany: (count: string) => `At most ${count} questions can be measured at once.`,
  noEngine: "Choose at least one way of searching.",
  ways: "Ways of searching",
  way: "Way of searching",
  measure: "Measure",
  running: "Asking the questions",
  progress: (done: string, total: string) => `${done} of ${total} searches`,
  stop: "Stop",
  stopped: "Stopped. Nothing of it is kept.",
  results: "What was found",
  resultsHint: (count: number) =>
    `Of ${count === 1 ? "1 question" : `${count} questions`}. 100 % is best. nDCG rewards right documents at the top, recall counts those among the first ten, MRR looks at the first right one.`,
  measures: { ndcgAt10: "nDCG", recallAt10: "Recall", mrrAt10: "MRR" },
  time: "Median time",
  missed: (name: string, count: number) =>
    `${name}: ${count === 1 ? "1 question" : `${count} questions`} without an answer among the first ten`,
};
const de = {
  title: "Suche messen",
  hint: "Schreiben Sie Fragen, deren Antworten Sie kennen. Jede wird auf jede Art gesucht, und Sie sehen, welche die richtigen Dokumente findet.",
  questions: "Fragen",
  questionsHint:
    "Eine je Zeile: die Frage, ein senkrechter Strich, der Name des Dokuments, das sie beantwortet.",
  example: "Wie viele Urlaubstage? | handbuch.pdf",
  upload: "Fragen aus einer Datei nehmen",
  fileUnknown:
    "Diese Datei hat keine solchen Zeilen. Einen Satz mit Stellen oder Kennungen misst der Befehl parlance evaluate.",
  wrongLine: (line: number) =>
    `Zeile ${line} braucht eine Frage, einen Strich und den Namen eines Dokuments.`,
  noQuestion: "Schreiben Sie mindestens eine Frage.",
  tooMany: (count: string) => `Auf einmal lassen sich höchstens ${count} Fragen messen.`,
  noEngine: "Wählen Sie mindestens eine Art zu suchen.",
  ways: "Arten zu suchen",
  way: "Art zu suchen",
  measure: "Messen",
  running: "Die Fragen werden gestellt",
  progress: (done: string, total: string) => `${done} von ${total} Suchen`,
  stop: "Anhalten",
  stopped: "Angehalten. Davon bleibt nichts.",
  results: "Was gefunden wurde",
  resultsHint: (count: number) =>
    `Bei ${count === 1 ? "1 Frage" : `${count} Fragen`}. 100 % sind am besten. nDCG belohnt richtige Dokumente ganz oben, Recall zählt die unter den ersten zehn, MRR betrachtet das erste richtige.`,
  measures: { ndcgAt10: "nDCG", recallAt10: "Recall", mrrAt10: "MRR" },
  time: "Mittlere Zeit",
  missed: (name: string, count: number) =>
    `${name}: ${count === 1 ? "1 Frage" : `${count} Fragen`} ohne Antwort unter den ersten zehn`,
} satisfies typeof en;

export const useMeasureTexts = texts({ en, de });

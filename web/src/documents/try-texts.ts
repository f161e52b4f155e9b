import { texts } from "../texts/language.ts";

const en = {
  title: "Try the search",
  hint: "What answers would be made from: the passages that a question finds, by each way of searching.",
  measure: "Measure the search",
  question: "Question",
  grade: "Least similarity",
  gradeHint: "From 0 to 1",
  count: "Results",
  search: "Search",
  engines: {
    default: { name: "By meaning", hint: "The nearest passages, however far they are." },
    naive: {
      name: "By meaning, if similar",
      hint: "Only those above the least similarity.",
    },
    hybrid: { name: "By meaning and words", hint: "Answers and agents search like this." },
  },
  nothing: "Nothing found.",
  nearestBelow: "Nearest, below the threshold:",
  score: (score: string) => `Score ${score}`,
  result: (rank: number, name: string) => `Result ${rank}: ${name}`,
  empty: "Ask something that your documents answer",
  emptyHint: "You see which passages are found, and why a document is not.",
  model: (name: string) => `Vectors are made by ${name}.`,
  why: "Why is a document not found?",
  document: "Part of its name",
  noDocument: "No document has this in its name.",
  choose: "Another document",
  nearest: (similarity: string) => `Its nearest passage has the similarity ${similarity}.`,
  words: "It has words of the question.",
  noWords: "It has no word of the question.",
  show: "Show its nearest passage",
  reasons: {
    found: (rank: number | null) => `Found, at place ${rank}.`,
    outranked: (rank: number | null, count: number) =>
      rank === null
        ? `Other passages are better, or nearly the same. Ask more precisely, or for one document.`
        : `At place ${rank}, and only the best ${count} are taken. Ask for more results.`,
    below_grade: () =>
      "Too far from the question. Lower the least similarity, or use its words.",
    not_indexed: () => "Not ready to be searched. Look at its state, and process it again.",
    no_text: () => "No text was read in it. A scan needs character recognition.",
    no_access: () => "It does not exist any more, or is not shared with you.",
  },
};
const de = {
  title: "Suche ausprobieren",
  hint: "Woraus Antworten entstünden: die Stellen, die eine Frage findet, auf jede Art zu suchen.",
  measure: "Suche messen",
  question: "Frage",
  grade: "Mindestähnlichkeit",
  gradeHint: "Von 0 bis 1",
  count: "Ergebnisse",
  search: "Suchen",
  engines: {
    default: {
      name: "Nach Bedeutung",
      hint: "Die nächsten Stellen, wie fern sie auch sind.",
    },
    naive: { name: "Nach Bedeutung, wenn ähnlich", hint: "Nur ab der Mindestähnlichkeit." },
    hybrid: {
      name: "Nach Bedeutung und Wörtern",
      hint: "So suchen Antworten und Agenten.",
    },
  },
  nothing: "Nichts gefunden.",
  nearestBelow: "Am nächsten, unter der Schwelle:",
  score: (score: string) => `Wert ${score}`,
  result: (rank: number, name: string) => `Ergebnis ${rank}: ${name}`,
  empty: "Fragen Sie etwas, das Ihre Dokumente beantworten",
  emptyHint: "Sie sehen, welche Stellen gefunden werden und warum ein Dokument fehlt.",
  model: (name: string) => `Vektoren entstehen mit ${name}.`,
  why: "Warum wird ein Dokument nicht gefunden?",
  document: "Teil seines Namens",
  noDocument: "Kein Dokument hat das im Namen.",
  choose: "Anderes Dokument",
  nearest: (similarity: string) =>
    `Seine nächste Stelle hat die Ähnlichkeit ${similarity}.`,
  words: "Es enthält Wörter der Frage.",
  noWords: "Es enthält kein Wort der Frage.",
  show: "Nächste Stelle anzeigen",
  reasons: {
    found: (rank: number | null) => `Gefunden, auf Platz ${rank}.`,
    outranked: (rank: number | null, count: number) =>
      rank === null
        ? `Andere Stellen sind besser oder fast gleich. Fragen Sie genauer, oder nach einem Dokument.`
        : `Auf Platz ${rank}, genommen werden die besten ${count}. Verlangen Sie mehr Ergebnisse.`,
    below_grade: () =>
      "Zu fern von der Frage. Senken Sie die Mindestähnlichkeit, oder nehmen Sie seine Wörter.",
    not_indexed: () =>
      "Noch nicht durchsuchbar. Sehen Sie seinen Zustand an, und verarbeiten Sie es erneut.",
    no_text: () => "Darin wurde kein Text gelesen. Ein Scan braucht Zeichenerkennung.",
    no_access: () => "Es ist nicht mehr da, oder nicht für Sie freigegeben.",
  },
} satisfies typeof en;

export const useTryTexts = texts({ en, de });

import type { NotFound } from "../../../src/services/core/sources/contract.ts";
import { isolate } from "./isolate.ts";
import { texts } from "./language.ts";

type Why = Pick<NotFound, "reason" | "waiting" | "waitingCount" | "unavailable">;

const en = {
  reasons: {
    below_threshold: () => "Nothing in them is near enough to the question.",
    not_processed: (names: string) =>
      `They are not ready yet, or could not be read: ${names}.`,
    not_available: () =>
      "The documents to answer from are not shared with you, or are gone.",
    no_documents: () => "You have no documents yet.",
  },
  waiting: (names: string) =>
    `Not searched, because not read yet or not readable: ${names}.`,
  unavailable: (count: number) =>
    count === 1
      ? "Not searched, because not shared with you, or gone: 1 document."
      : `Not searched, because not shared with you, or gone: ${count} documents.`,
  quoted: (name: string) => `“${name}”`,
  more: (names: string, count: number) => `${names} and ${count} more`,
};
const de = {
  reasons: {
    below_threshold: () => "Nichts darin ist der Frage nah genug.",
    not_processed: (names: string) =>
      `Sie sind noch nicht bereit oder nicht lesbar: ${names}.`,
    not_available: () =>
      "Die Dokumente für die Antwort sind nicht mit Ihnen geteilt, oder es gibt sie nicht mehr.",
    no_documents: () => "Sie haben noch keine Dokumente.",
  },
  waiting: (names: string) =>
    `Nicht durchsucht, weil noch nicht gelesen oder nicht lesbar: ${names}.`,
  unavailable: (count: number) =>
    count === 1
      ? "Nicht durchsucht, weil nicht mit Ihnen geteilt oder nicht mehr da: 1 Dokument."
      : `Nicht durchsucht, weil nicht mit Ihnen geteilt oder nicht mehr da: ${count} Dokumente.`,
  quoted: (name: string) => `„${name}“`,
  more: (names: string, count: number) => `${names} und ${count} weitere`,
} satisfies typeof en;

const useTexts = texts({ en, de });

/** Says why the documents had nothing: a function that returns its sentences. */
export function useNotFound(): (why: Why) => string {
  const words = useTexts();
  return ({ reason, waiting, waitingCount, unavailable }) => {
    const named = waiting.map((name) => words.quoted(isolate(name))).join(", ");
    const rest = waitingCount - waiting.length;
    const names = rest > 0 ? words.more(named, rest) : named;
    const others = [
      reason === "below_threshold" && waitingCount > 0 && words.waiting(names),
      reason !== "not_available" && unavailable > 0 && words.unavailable(unavailable),
    ];
    return [words.reasons[reason](names), ...others].filter(Boolean).join(" ");
  };
}

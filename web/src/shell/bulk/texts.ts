import { texts } from "../../texts/language.ts";

const en = {
  progress: (handled: number, total: number) => `${handled} of ${total}`,
  stop: "Stop",
  notAll: (count: number, total: number) =>
    count === 1
      ? `1 of ${total} was not changed.`
      : `${count} of ${total} were not changed.`,
  left: (count: number) => `${count} were not begun.`,
  refused: "What was not changed, and why",
};

const de = {
  progress: (handled: number, total: number) => `${handled} von ${total}`,
  stop: "Anhalten",
  notAll: (count: number, total: number) =>
    count === 1
      ? `1 von ${total} wurde nicht geändert.`
      : `${count} von ${total} wurden nicht geändert.`,
  left: (count: number) => `${count} davon wurden nicht begonnen.`,
  refused: "Was nicht geändert wurde, und warum",
} satisfies typeof en;

export const useBulkTexts = texts({ en, de });

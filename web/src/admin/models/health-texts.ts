import { texts } from "../../texts/language.ts";

const en = {
  chart: (provider: string) => `Calls to ${provider} in each of the last 24 hours`,
  hour: (from: string, to: string, what: string) => `${from} to ${to}: ${what}`,
  none: "no calls",
  calls: (count: number, number: string) => (count === 1 ? "1 call" : `${number} calls`),
  allAnswered: (calls: string) => `${calls}, all answered`,
  someFailed: (calls: string, failed: string, how: string) =>
    `${calls}, ${failed} failed (${how})`,
  failures: {
    rate_limited: (count: string) => `${count} over the limit`,
    unreachable: (count: string) => `${count} not reached`,
    refused: (count: string) => `${count} refused`,
    timed_out: (count: string) => `${count} without an answer`,
    failed: (count: string) => `${count} broken off or faulty`,
  },
  failedOf: (failed: string, calls: string) => `${failed} of ${calls} failed`,
  firstToken: (time: string) => `first word after ${time}`,
  quiet: "No calls in the last 24 hours",
  well: "Healthy",
  answers: "The last call was answered",
  fails: "The last call failed",
  lastFailure: (ago: string) => `Last failure ${ago}:`,
};

const de = {
  chart: (provider: string) => `Aufrufe bei ${provider} in jeder der letzten 24 Stunden`,
  hour: (from: string, to: string, what: string) => `${from} bis ${to}: ${what}`,
  none: "keine Aufrufe",
  calls: (count: number, number: string) =>
    count === 1 ? "1 Aufruf" : `${number} Aufrufe`,
  allAnswered: (calls: string) => `${calls}, alle beantwortet`,
  someFailed: (calls: string, failed: string, how: string) =>
    `${calls}, davon ${failed} gescheitert (${how})`,
  failures: {
    rate_limited: (count: string) => `${count} über dem Limit`,
    unreachable: (count: string) => `${count} nicht erreicht`,
    refused: (count: string) => `${count} abgelehnt`,
    timed_out: (count: string) => `${count} ohne Antwort`,
    failed: (count: string) => `${count} abgebrochen oder fehlerhaft`,
  },
  failedOf: (failed: string, calls: string) => `${failed} von ${calls} gescheitert`,
  firstToken: (time: string) => `erstes Wort nach ${time}`,
  quiet: "Keine Aufrufe in den letzten 24 Stunden",
  well: "In Ordnung",
  answers: "Der letzte Aufruf wurde beantwortet",
  fails: "Der letzte Aufruf ist gescheitert",
  lastFailure: (ago: string) => `Letzter Fehler ${ago}:`,
} satisfies typeof en;

export const useHealthTexts = texts({ en, de });

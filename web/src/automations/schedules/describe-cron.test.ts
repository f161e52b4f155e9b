import { afterEach, expect, test, vi } from "vitest";
import { chooseLanguage } from "../../texts/language.ts";
import { describeCron } from "./describe-cron.ts";

afterEach(() => vi.unstubAllGlobals());

function readIn(language: "en" | "de", locale: string): void {
  vi.stubGlobal("navigator", { languages: [locale] });
  vi.stubGlobal("localStorage", { setItem: () => {} });
  vi.stubGlobal("document", { documentElement: {} });
  chooseLanguage(language);
}

test.each([
  ["30 7 * * 1-5", "At 07:30, Monday through Friday"],
  ["0 7 * * *", "At 07:00, every day"],
  ["@daily", "At 00:00, every day"],
  ["0 9 1 * *", "At 09:00, on day 1 of the month"],
  ["0 9 * * 5L", "At 09:00, on the last Friday of the month"],
  ["0 * * * *", "Every hour"],
  ["@hourly", "Every hour"],
  ["*/15 * * * *", "Every 15 minutes"],
  ["*/15 8-18 * * *", "Every 15 minutes, between 08:00 and 18:59, every day"],
])("%s reads %s", (cron, sentence) => {
  readIn("en", "en-GB");
  expect(describeCron(cron)).toBe(sentence);
});

test("times are written as the reader writes them", () => {
  readIn("en", "en-US");
  expect(describeCron("30 7,19 * * *")).toBe("At 7:30 AM and 7:30 PM, every day");
});

test.each([
  ["30 7 * * 1-5", "Um 07:30, Montag bis Freitag"],
  ["0 7 * * *", "Um 07:00, jeden Tag"],
  ["0 8 * * 1", "Um 08:00, nur jeden Montag"],
  ["*/15 * * * *", "Alle 15 Minuten"],
])("in German %s reads %s", (cron, sentence) => {
  readIn("de", "de-DE");
  expect(describeCron(cron)).toBe(sentence);
});

test.each(["", "soon", "60 9 * * *", "0 9 * * +1"])("%j has no sentence", (cron) => {
  readIn("en", "en-GB");
  expect(describeCron(cron)).toBeUndefined();
});

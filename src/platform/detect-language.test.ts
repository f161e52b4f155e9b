import { expect, test } from "vitest";
import { detectLanguage } from "./detect-language.ts";

const GERMAN =
  "Wer Urlaub nehmen will, trägt ihn spätestens zwei Wochen vorher in den Kalender ein und bittet die Leitung der Abteilung um ihre Zustimmung. ";
const ENGLISH =
  "Whoever wants to take holidays enters them in the calendar two weeks before and asks the head of the department. ";

test("most of a text decides, not its beginning", async () => {
  expect(await detectLanguage(ENGLISH.repeat(4) + GERMAN.repeat(8))).toMatchObject({
    language: "de",
  });
  expect(await detectLanguage(GERMAN.repeat(4) + ENGLISH.repeat(12))).toMatchObject({
    language: "en",
  });
  const mixed = await detectLanguage(ENGLISH.repeat(4) + GERMAN.repeat(5));
  expect(mixed.confidence).toBeLessThan(
    (await detectLanguage(GERMAN.repeat(5))).confidence,
  );
});

test("ignores code beside enough text, and uses it when there is little else", async () => {
  const code = `\`\`\`\n${"for (const word of words) if (isKnown(word)) counts.set(word, 1);\n".repeat(20)}\`\`\``;
  expect(await detectLanguage(`${code}\n${GERMAN}`)).toMatchObject({ language: "de" });
  expect(await detectLanguage("What does the `merge_tables` function do?")).toMatchObject({
    language: "en",
  });
});

test("finds the language by words, also inside names, when most of a text is signs and numbers", async () => {
  const table = [
    "201 C9 É LATEINISCHER GROSSBUCHSTABE E MIT AKUT",
    "206 CE Î LATEINISCHER GROSSBUCHSTABE I MIT ZIRKUMFLEX",
  ];
  expect(
    await detectLanguage(Array.from({ length: 6 }, () => table.join("\n")).join("\n")),
  ).toMatchObject({ language: "de" });
  const names =
    "@Mock private CredentialRetriever mockDockerCredentialHelperCredentialRetriever, mockSystemHomeDockerConfigCredentialRetriever;";
  expect(await detectLanguage(names)).toMatchObject({ language: "en" });
});

test("detects no language in a text without one or with too few letters", async () => {
  expect(await detectLanguage("Guten Tag")).toEqual({ language: null, confidence: 0 });
  expect(await detectLanguage("0 1 1 2 3 5 8 ".repeat(40))).toEqual({
    language: null,
    confidence: 0,
  });
  expect(
    await detectLanguage("xDxxDxxx xDDxxDxD xDDxDDxx xDDxDDxx xDDxDDDD xxDxxxxx".repeat(4)),
  ).toMatchObject({
    language: null,
  });
});

import { expect, test } from "vitest";
import { firstSentence } from "./first-sentence.ts";

test.each([
  [
    "The provider is busy. Try again.",
    { first: "The provider is busy.", rest: "Try again." },
  ],
  ["The agent failed.", { first: "The agent failed.", rest: "" }],
  [
    "Das Modell „gpt-4.1“ antwortet nicht. Versuchen Sie es erneut. Oder später.",
    {
      first: "Das Modell „gpt-4.1“ antwortet nicht.",
      rest: "Versuchen Sie es erneut. Oder später.",
    },
  ],
  [
    "Ein Modell, z. B. Llama, antwortet nicht",
    { first: "Ein Modell, z. B. Llama, antwortet nicht", rest: "" },
  ],
  ["", { first: "", rest: "" }],
])("%s", (text, parts) => {
  expect(firstSentence(text)).toEqual(parts);
});

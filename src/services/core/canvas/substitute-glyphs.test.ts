import { expect, test } from "vitest";
import { substituteGlyphs } from "./substitute-glyphs.ts";

const isLatin = (codePoint: number) => codePoint < 0x250;

test.each([
  ["Grüße\n\tan alle", "Grüße\n\tan alle"],
  ["a → b ⇒ c", "a -> b => c"],
  ["✓ ✔️ ✗", "[check mark] [check mark] [cross mark]"],
  ["😀 and 👍🏽", "[grinning face] and [thumbs up]"],
  ["👨‍👩‍👧", "[family man, woman, girl]"],
  ["你好世界, שלום", "[Chinese], [Hebrew]"],
  ["├── a │ b", "+-- a | b"],
  ["a\u2009b\ufeff", "a b"],
  ["ꔀ", "[U+A500]"],
])("%j is shown as %j", (text, shown) => {
  expect(substituteGlyphs(text, isLatin)).toBe(shown);
});

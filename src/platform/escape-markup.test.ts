import { expect, test } from "vitest";
import { escapeMarkup } from "./escape-markup.ts";

test("no text ends an element or an attribute", () => {
  expect(escapeMarkup(`<a href="x" id='y'>&amp; ü`)).toBe(
    "&#60;a href=&#34;x&#34; id=&#39;y&#39;&#62;&#38;amp; ü",
  );
});

import { expect, test } from "vitest";
import { splitMarks } from "./snippet.tsx";

test("a snippet is text with marked words, whatever it holds", () => {
  const html = "31 <mark>days</mark> &lt;b&gt;a &amp;amp; b&lt;/b&gt; <script>x</script>";
  expect(splitMarks(html)).toEqual([
    { text: "31 ", isMarked: false },
    { text: "days", isMarked: true },
    { text: " <b>a &amp; b</b> <script>x</script>", isMarked: false },
  ]);
});

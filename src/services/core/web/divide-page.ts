import type { WebPage } from "../../web/contract.ts";
import type { Passage } from "../sources/find-passages.ts";

/** Of one passage: about as much as a person reads to check a sentence. */
const MAX_PASSAGE_CHARACTERS = 1_500;

/** Divides a page into passages at its paragraphs, in their order. */
export function dividePage({ url, title, markdown, fetchedAt }: WebPage): Passage[] {
  return dividedText(markdown).map((content, chunkIndex) => ({
    kind: "web" as const,
    documentId: url,
    url,
    fetchedAt,
    fileName: title,
    pageNumber: null,
    chunkIndex,
    score: 1,
    content,
  }));
}

function dividedText(text: string): string[] {
  const passages: string[] = [];
  let passage = "";
  for (const paragraph of text.split(/\n{2,}/)) {
    const whole = passage === "" ? paragraph : `${passage}\n\n${paragraph}`;
    if (whole.length <= MAX_PASSAGE_CHARACTERS) {
      passage = whole;
      continue;
    }
    if (passage !== "") passages.push(passage);
    passage = paragraph;
    while (passage.length > MAX_PASSAGE_CHARACTERS) {
      const end = endOfPiece(passage);
      passages.push(passage.slice(0, end));
      passage = passage.slice(end);
    }
  }
  if (passage.trim() !== "") passages.push(passage);
  return passages.map((one) => one.trim()).filter((one) => one !== "");
}

/** Where a paragraph that is too long is cut: at a space, else between two characters. */
function endOfPiece(text: string): number {
  const space = text.lastIndexOf(" ", MAX_PASSAGE_CHARACTERS);
  if (space > MAX_PASSAGE_CHARACTERS / 2) return space;
  const last = text.charCodeAt(MAX_PASSAGE_CHARACTERS - 1);
  const isHalf = last >= 0xd800 && last <= 0xdbff;
  return isHalf ? MAX_PASSAGE_CHARACTERS - 1 : MAX_PASSAGE_CHARACTERS;
}

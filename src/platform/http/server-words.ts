import { shortenText } from "../shorten-text.ts";
import { readJson } from "./read-json.ts";

const MAX_REFUSAL = { maxBytes: 64 * 1024, maxValues: 1_000 };
const MAX_WORDS_CHARACTERS = 300;

/** The explanation of a server that refuses, wherever its API puts it; empty when it has none. */
export async function serverWords(response: Response): Promise<string> {
  try {
    const words = findWords(await readJson(response, MAX_REFUSAL));
    return shortenText(words.replace(/[\p{C}\s]+/gu, " ").trim(), MAX_WORDS_CHARACTERS);
  } catch {
    // what the answer says is given up anyway
    await response.body?.cancel().catch(() => {});
    return "";
  }
}

function findWords(answer: unknown): string {
  if (typeof answer === "string") return answer;
  if (Array.isArray(answer)) return findWords(answer[0]);
  if (typeof answer !== "object" || answer === null) return "";
  for (const name of ["error", "message", "detail", "msg", "title"]) {
    const words = findWords((answer as Record<string, unknown>)[name]);
    if (words !== "") return words;
  }
  return "";
}

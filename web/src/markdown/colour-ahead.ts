import { highlight } from "./highlight.ts";

/** What is in sight when a conversation opens. */
const MAX_BLOCKS = 6;

interface Code {
  code: string;
  language: string;
}

/**
 * Colours the code of texts that will be shown, while the part of the app that shows them is
 * loading: it then has its colours at once. Code that is not found here is coloured once drawn.
 */
export function colourAhead(texts: readonly string[]): void {
  const found = texts.flatMap(findCode).slice(-MAX_BLOCKS);
  for (const { code, language } of found) void highlight(code, language);
}

/** Fenced code with a language, at the beginning of lines. Its time grows with the text alone. */
export function findCode(markdown: string): Code[] {
  const found: Code[] = [];
  let open: { lines: string[]; language: string } | undefined;
  for (const line of markdown.split("\n")) {
    if (open && /^```[ \t]*$/.test(line)) {
      found.push({ code: open.lines.join("\n"), language: open.language });
      open = undefined;
    } else if (open) open.lines.push(line);
    else {
      const language = /^```([\w+#.-]+)/.exec(line)?.[1]?.toLowerCase();
      if (language) open = { lines: [], language };
    }
  }
  return found;
}

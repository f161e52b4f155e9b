import {
  createCssVariablesTheme,
  createHighlighterCore,
  type HighlighterCore,
} from "@shikijs/core";
import { createJavaScriptRegexEngine } from "@shikijs/engine-javascript";
import type { CodeLine, HighlightAnswer, HighlightRequest } from "./highlight.ts";
import { ALIASES, LANGUAGES } from "./languages.ts";

/** Runs in a worker: code in, classified pieces of text out. */

const THEME = createCssVariablesTheme({ name: "parlance", variablePrefix: "--" });
/** A line longer than this is not code that anybody reads. */
const MAX_LINE_CHARACTERS = 2_000;
/** Regular expressions compile in the first line, which takes a while. */
const MAX_LINE_MS = 5_000;
let highlighter: Promise<HighlighterCore> | undefined;

addEventListener("message", ({ data }: MessageEvent<HighlightRequest>) => {
  void answer(data).then((lines) => {
    postMessage({ id: data.id, ...(lines && { lines }) } satisfies HighlightAnswer);
  });
});

async function answer({
  code,
  language,
}: HighlightRequest): Promise<CodeLine[] | undefined> {
  const name = ALIASES[language] ?? language;
  const load = LANGUAGES[name];
  if (!load) return undefined;
  try {
    highlighter ??= createHighlighterCore({
      themes: [THEME],
      langs: [],
      engine: createJavaScriptRegexEngine({ forgiving: true }),
    });
    const core = await highlighter;
    await core.loadLanguage(load);
    const options = {
      lang: name,
      theme: THEME.name ?? "parlance",
      tokenizeMaxLineLength: MAX_LINE_CHARACTERS,
      tokenizeTimeLimit: MAX_LINE_MS,
    };
    const { tokens } = core.codeToTokens(code, options);
    return tokens.map((line) => line.map(({ content, color }) => [content, kindOf(color)]));
  } catch {
    return undefined; // plain text is good enough
  }
}

/** `var(--token-keyword)` → `keyword`. */
function kindOf(color: string | undefined): string {
  return /--token-([a-z-]+)/.exec(color ?? "")?.[1] ?? "";
}

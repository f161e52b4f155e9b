import {
  createCssVariablesTheme,
  createHighlighterCore,
  type HighlighterCore,
  type LanguageRegistration,
} from "@shikijs/core";
import { createJavaScriptRegexEngine } from "@shikijs/engine-javascript";
import type { CodeLine, HighlightAnswer, HighlightRequest } from "./highlight.ts";

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
  language: given,
}: HighlightRequest): Promise<CodeLine[] | undefined> {
  const name = ALIASES[given] ?? given;
  const load = LANGUAGES[name];
  if (!load) return undefined;
  try {
    highlighter ??= createHighlighterCore({
      themes: [THEME],
      langs: [],
      engine: createJavaScriptRegexEngine({ forgiving: true }),
    });
    // the language is fetched meanwhile
    const [core, language] = await Promise.all([highlighter, load()]);
    await core.loadLanguage(language.default);
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

type Load = () => Promise<{ default: LanguageRegistration[] }>;

/** The languages that are highlighted; each is fetched when it is first used. */
const LANGUAGES: Record<string, Load> = {
  bash: () => import("@shikijs/langs/bash"),
  c: () => import("@shikijs/langs/c"),
  cpp: () => import("@shikijs/langs/cpp"),
  csharp: () => import("@shikijs/langs/csharp"),
  css: () => import("@shikijs/langs/css"),
  diff: () => import("@shikijs/langs/diff"),
  docker: () => import("@shikijs/langs/docker"),
  go: () => import("@shikijs/langs/go"),
  graphql: () => import("@shikijs/langs/graphql"),
  html: () => import("@shikijs/langs/html"),
  ini: () => import("@shikijs/langs/ini"),
  java: () => import("@shikijs/langs/java"),
  javascript: () => import("@shikijs/langs/javascript"),
  json: () => import("@shikijs/langs/json"),
  jsx: () => import("@shikijs/langs/jsx"),
  kotlin: () => import("@shikijs/langs/kotlin"),
  latex: () => import("@shikijs/langs/latex"),
  lua: () => import("@shikijs/langs/lua"),
  make: () => import("@shikijs/langs/make"),
  markdown: () => import("@shikijs/langs/markdown"),
  perl: () => import("@shikijs/langs/perl"),
  php: () => import("@shikijs/langs/php"),
  powershell: () => import("@shikijs/langs/powershell"),
  python: () => import("@shikijs/langs/python"),
  r: () => import("@shikijs/langs/r"),
  ruby: () => import("@shikijs/langs/ruby"),
  rust: () => import("@shikijs/langs/rust"),
  scala: () => import("@shikijs/langs/scala"),
  sql: () => import("@shikijs/langs/sql"),
  swift: () => import("@shikijs/langs/swift"),
  toml: () => import("@shikijs/langs/toml"),
  tsx: () => import("@shikijs/langs/tsx"),
  typescript: () => import("@shikijs/langs/typescript"),
  xml: () => import("@shikijs/langs/xml"),
  yaml: () => import("@shikijs/langs/yaml"),
};

const ALIASES: Record<string, string> = {
  "c#": "csharp",
  "c++": "cpp",
  console: "bash",
  cs: "csharp",
  dockerfile: "docker",
  golang: "go",
  js: "javascript",
  kt: "kotlin",
  makefile: "make",
  md: "markdown",
  mjs: "javascript",
  ps1: "powershell",
  py: "python",
  rb: "ruby",
  rs: "rust",
  sh: "bash",
  shell: "bash",
  svg: "xml",
  tex: "latex",
  ts: "typescript",
  yml: "yaml",
  zsh: "bash",
};

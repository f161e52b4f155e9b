/** The ends of names of files, where they differ from the name of the language. */
const EXTENSIONS: Record<string, string> = {
  bash: "sh",
  "c#": "cs",
  "c++": "cpp",
  console: "sh",
  csharp: "cs",
  golang: "go",
  javascript: "js",
  kotlin: "kt",
  latex: "tex",
  markdown: "md",
  mermaid: "mmd",
  perl: "pl",
  powershell: "ps1",
  python: "py",
  ruby: "rb",
  rust: "rs",
  shell: "sh",
  typescript: "ts",
  "vega-lite": "json",
  vega: "json",
  yaml: "yml",
  zsh: "sh",
};
const WHOLE_NAMES: Record<string, string> = {
  docker: "Dockerfile",
  dockerfile: "Dockerfile",
  make: "Makefile",
  makefile: "Makefile",
};

/** A name for a file of code. */
export function fileNameOf(language: string | undefined): string {
  const name = WHOLE_NAMES[language ?? ""];
  if (name) return name;
  const extension = EXTENSIONS[language ?? ""] ?? language ?? "";
  return `code.${/^[a-z0-9]{1,10}$/.test(extension) ? extension : "txt"}`;
}

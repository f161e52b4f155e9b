import { SERVICES } from "../server/services.ts";

/** What the command line offers: `main.ts` runs it, help and completion describe it. */

interface Option {
  name: string;
  /** What it takes; absent for a switch. */
  value?: string;
  text: string;
}

export interface Command {
  name: string;
  operands?: string;
  summary: string;
  options: readonly Option[];
}

const SERVER: readonly Option[] = [
  { name: "url", value: "ADDRESS", text: "of the server; http://127.0.0.1:$PORT (4000)" },
  { name: "email", value: "ADDRESS", text: "to sign in with; else PARLANCE_TOKEN" },
  {
    name: "password",
    value: "TEXT",
    text: "to sign in with; else PARLANCE_ADMIN_PASSWORD, which other users do not see",
  },
];

export const COMMANDS: readonly Command[] = [
  {
    name: "serve",
    operands: "[services…]",
    summary: `run all services in one process, or some: ${Object.keys(SERVICES).join(" ")}`,
    options: [],
  },
  { name: "token", summary: "sign in and print an access token", options: SERVER },
  {
    name: "ask",
    operands: '"question"',
    summary: "stream an answer into the terminal",
    options: [
      { name: "docs", text: "answer from the documents that you may read" },
      { name: "agent", value: "ID", text: "who answers" },
      { name: "model", value: "NAME", text: "which model answers" },
      { name: "tools", value: "A,B", text: "what the model may call" },
      { name: "conversation", value: "ID", text: "that goes on" },
      ...SERVER,
    ],
  },
  {
    name: "ingest",
    operands: "<paths…>",
    summary: "upload files and folders, and show progress",
    options: [{ name: "folder", value: "ID", text: "in which they are put" }, ...SERVER],
  },
  {
    name: "evaluate",
    operands: "set.json",
    summary: "measure retrieval by your own questions",
    options: [
      { name: "engines", value: "A,B", text: "default, hybrid" },
      { name: "rerankers", value: "A,B", text: "none, bge, llm" },
      {
        name: "chunkings",
        value: "A,B",
        text: "current, or method:size such as semchunk:300",
      },
      { name: "plot", value: "FILE.svg", text: "also draw the result" },
      ...SERVER,
    ],
  },
  {
    name: "prepare",
    summary: "make the database that a first start copies; installing does it",
    options: [],
  },
  {
    name: "encrypt-files",
    summary: "encrypt stored files with FILES_ENCRYPTION_KEY that are not yet",
    options: [],
  },
  {
    name: "doctor",
    summary: "check configuration, database, queue, providers and tool servers",
    options: [{ name: "json", text: "print one object for programs" }],
  },
  {
    name: "help",
    operands: "[command]",
    summary: "print this, or one command",
    options: [],
  },
  {
    name: "completion",
    operands: "bash|zsh|fish",
    summary: "print what completes commands and options in a shell",
    options: [],
  },
];

export function findCommand(name: string | undefined): Command | undefined {
  return COMMANDS.find((command) => command.name === name);
}

/** The commands, and what holds for all of them. */
export function usage(): string {
  const lines = COMMANDS.map(({ name, operands = "", summary }) =>
    `  ${`${name} ${operands}`.padEnd(24)} ${summary}`.trimEnd(),
  );
  return `parlance – a self-hosted AI assistant platform

${lines.join("\n")}

"parlance help <command>" prints its options; --version prints the version, and with --json an object
for programs. Settings are environment variables, which .env.example lists. Ends with 0, with 1 when something failed or was refused, with 2
for a command or option that there is not.`;
}

export function helpOf({ name, operands, summary, options }: Command): string {
  const own = [...options, { name: "help", text: "print this" }].map(
    (option: Option) =>
      `  ${`--${option.name} ${option.value ?? ""}`.padEnd(24)} ${option.text}`,
  );
  const head = ["Usage: parlance", name, operands, "[options]"].filter(Boolean).join(" ");
  return `${head}\n\n${summary}\n\n${own.join("\n")}`;
}

const SHELLS = ["bash", "zsh", "fish"];

/** A script for a shell, to be read at its start. */
export function completionFor(shell: string | undefined): string | undefined {
  const names = COMMANDS.map(({ name }) => name).join(" ");
  const flags = ({ options }: Command) => options.map(({ name }) => `--${name}`).join(" ");
  if (shell === "bash" || shell === "zsh") {
    const cases = COMMANDS.map(
      (command) =>
        `    ${command.name}) words="${[flags(command), valuesOf(command)].join(" ").trim()}" ;;`,
    );
    const script = `_parlance() {
  local words="" current="\${COMP_WORDS[COMP_CWORD]}"
  if [ "$COMP_CWORD" -le 1 ]; then
    COMPREPLY=($(compgen -W "${names} --help --version" -- "$current"))
    return
  fi
  case "\${COMP_WORDS[1]}" in
    --version) words="--json" ;;
${cases.join("\n")}
  esac
  COMPREPLY=($(compgen -W "$words" -f -- "$current"))
}
complete -F _parlance parlance`;
    return shell === "bash"
      ? script
      : `autoload -U +X bashcompinit && bashcompinit\n${script}`;
  }
  if (shell !== "fish") return undefined;
  const lines = COMMANDS.flatMap((command) => [
    ...[valuesOf(command)]
      .filter(Boolean)
      .map(
        (values) =>
          `complete -c parlance -f -n "__fish_seen_subcommand_from ${command.name}" -a "${values}"`,
      ),
    `complete -c parlance -n __fish_use_subcommand -a ${command.name} -d "${command.summary.split(":")[0]}"`,
    ...command.options.map(
      ({ name, text }) =>
        `complete -c parlance -n "__fish_seen_subcommand_from ${command.name}" -l ${name} -d "${text}"`,
    ),
  ]);
  return [
    "complete -c parlance -n __fish_use_subcommand -l version",
    'complete -c parlance -n "__fish_contains_opt version" -l json',
    ...lines,
  ].join("\n");
}

/** What stands for the operands of a command, where those are known. */
function valuesOf({ name }: Command): string {
  if (name === "serve") return Object.keys(SERVICES).join(" ");
  if (name === "help") return COMMANDS.map((command) => command.name).join(" ");
  return name === "completion" ? SHELLS.join(" ") : "";
}

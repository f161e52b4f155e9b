import { parseArgs } from "node:util";
import {
  type Command,
  completionFor,
  findCommand,
  helpOf,
  usage,
} from "./commands/command-line.ts";
import { ConfigError } from "./platform/config/read-config.ts";
import { ApiError } from "./platform/http/errors.ts";
import { VERSION } from "./platform/version.ts";

/** Something failed, or was refused. */
const FAILED = 1;
/** There is no such command or option. */
const WRONG_USAGE = 2;

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  if (
    !(error instanceof ConfigError || error instanceof ApiError || error instanceof Error)
  )
    throw error;
  const isExpected = error instanceof ConfigError || error instanceof ApiError;
  console.error(isExpected || !process.env["PARLANCE_DEBUG"] ? error.message : error);
  process.exitCode = FAILED;
}

async function main([name, ...rest]: string[]): Promise<number> {
  if (name === "--version" || name === "-V") return printVersion(rest);
  if (name === "--help" || name === "-h") return print(usage());
  const command = findCommand(name);
  if (!command) return refuse(name);
  const values = readOptions(command, rest);
  if ("problem" in values) {
    console.error(`${values.problem}\n\n${helpOf(command)}`);
    return WRONG_USAGE;
  }
  const { options, operands } = values;
  return options.help === true
    ? print(helpOf(command))
    : run(command.name, operands, options);
}

function printVersion(options: string[]): number {
  const [format, ...others] = options;
  if (format === undefined) return print(`parlance ${VERSION}`);
  if (format !== "--json" || others.length > 0)
    return refuse(format === "--json" ? others[0] : format);
  return print(JSON.stringify({ version: VERSION, node: process.version }));
}

function print(text: string): number {
  console.log(text);
  return 0;
}

function refuse(name: string | undefined): number {
  const problem = name === undefined ? "" : `There is no command or option ${name}.\n\n`;
  console.error(problem + usage());
  return WRONG_USAGE;
}

/** The options of any command, by name. */
type Options = Partial<Record<TextOption, string> & Record<Switch, boolean>>;
type Switch = "docs" | "json" | "help";
type TextOption =
  | "url"
  | "email"
  | "password"
  | "model"
  | "tools"
  | "conversation"
  | "agent"
  | "folder"
  | "engines"
  | "rerankers"
  | "chunkings"
  | "plot";

function readOptions(
  { options }: Command,
  args: string[],
): { options: Options; operands: string[] } | { problem: string } {
  const declared = options.map(({ name, value }) => [
    name,
    { type: value === undefined ? ("boolean" as const) : ("string" as const) },
  ]);
  try {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        ...Object.fromEntries(declared),
        help: { type: "boolean", short: "h" },
      },
    });
    return { options: values as Options, operands: positionals }; // as they are declared
  } catch (error) {
    return { problem: (error as Error).message }; // a TypeError
  }
}

async function run(name: string, operands: string[], options: Options): Promise<number> {
  const { env } = process;
  switch (name) {
    case "serve":
      return (await import("./commands/serve.ts")).serve(operands, env);
    case "token":
      return (await import("./commands/token.ts")).token(options, env);
    case "ask":
      return (await import("./commands/ask.ts")).ask(operands.join(" "), options, env);
    case "ingest":
      return (await import("./commands/ingest.ts")).ingest(operands, options, env);
    case "evaluate":
      return (await import("./commands/evaluate.ts")).evaluate(operands, options, env);
    case "prepare":
      return (await import("./commands/prepare.ts")).prepare();
    case "encrypt-files":
      return (await import("./commands/encrypt-files.ts")).encryptFiles(env);
    case "doctor":
      return (await import("./commands/doctor.ts")).doctor(options, env);
    case "completion":
      return complete(operands[0]);
    default:
      return help(operands[0]);
  }
}

function help(name: string | undefined): number {
  if (name === undefined) return print(usage());
  const command = findCommand(name);
  return command ? print(helpOf(command)) : refuse(name);
}

function complete(shell: string | undefined): number {
  const script = completionFor(shell);
  if (script !== undefined) return print(script);
  console.error('Name a shell: "parlance completion bash", zsh or fish.');
  return WRONG_USAGE;
}

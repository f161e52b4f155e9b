import { execFile } from "node:child_process";
import { promisify } from "node:util";

export const MODEL = "openai/gpt-test";

/** What a client or a tool server did. */
export interface Result {
  client: string;
  what: string;
  failure?: string | null;
  /** Where the client says it itself. */
  version?: string;
}

const TIMEOUT_MS = 180_000;
const MAX_BYTES = 2 ** 24;
const MAX_FAILURE_CHARACTERS = 300;

export interface RunOptions {
  cwd?: string;
  env?: NodeJS.ProcessEnv;
  /** 180,000 by default. */
  timeoutMs?: number;
}

/** Runs a program with nothing on its standard input. */
export async function run(
  program: string,
  given: readonly string[],
  { timeoutMs: timeout = TIMEOUT_MS, ...options }: RunOptions = {},
) {
  const limits = { timeout, maxBuffer: MAX_BYTES };
  const running = promisify(execFile)(program, given, { ...limits, ...options });
  running.child.stdin?.end();
  return running;
}

/** Runs a program that prints a result as JSON on each line. */
export async function resultsOf(
  program: string,
  given: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<Result[]> {
  const { stdout } = await run(program, given, { env });
  return stdout
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line) as Result);
}

/** Fails with what `work` throws, or returns. */
export async function tryTo(
  client: string,
  what: string,
  work: () => Promise<string | void>,
): Promise<Result> {
  const failure = await work().catch((error: unknown) => String(error));
  return { client, what, failure: failure?.slice(0, MAX_FAILURE_CHARACTERS) ?? null };
}

/** Runs a program, which must warn of nothing. */
export async function quiet(
  program: string,
  given: string[],
  cwd?: string,
  more: NodeJS.ProcessEnv = {},
): Promise<void> {
  const options = { env: { ...process.env, ...more }, ...(cwd && { cwd }) };
  const { stdout, stderr } = await run(program, given, options);
  const said = `${stdout}${stderr}`;
  if (/\b(?:warn(?:ing)?s?|error|fail(?:ed|ure)?)\b/i.test(said))
    throw new Error(`it says: ${said.slice(0, 300)}`);
}

import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pythonProgram } from "./install.ts";
import { MODEL, type Result, run, tryTo } from "./trial.ts";

/** Agents and assistants in a terminal, with their defaults. */

interface Stage {
  /** Where the clients are. */
  home: string;
  url: string;
  env: NodeJS.ProcessEnv;
}

export const MADE = "hello\n";
/** What the one without tools is asked for; the model answers with the file as text. */
export const MAKE_AS_TEXT = "Make the file made.txt as text.";
const MAKE = "Make a file.";

export async function tryTerminals(stage: Stage): Promise<Result[]> {
  return [
    await tryCodex(stage),
    await tryClaude(stage),
    await tryOpencode(stage),
    await tryAider(stage),
    await tryLlm(stage),
  ];
}

async function tryCodex({ home, url, env }: Stage): Promise<Result> {
  const config = join(home, "codex");
  await mkdir(config);
  await writeFile(
    join(config, "config.toml"),
    [
      `model = "${MODEL}"`,
      'model_provider = "parlance"',
      "[model_providers.parlance]",
      'name = "Parlance"',
      `base_url = "${url}/v1"`,
      'env_key = "KEY"',
      'wire_api = "responses"',
    ].join("\n"),
  );
  const given = [
    "exec",
    "--skip-git-repo-check",
    "--dangerously-bypass-approvals-and-sandbox",
    MAKE,
  ];
  return makesFile(home, "@openai/codex", ofNpm(home, "codex"), given, {
    ...env,
    CODEX_HOME: config,
  });
}

async function tryClaude({ home, url, env }: Stage): Promise<Result> {
  const given = ["-p", "--dangerously-skip-permissions", MAKE];
  return makesFile(home, "@anthropic-ai/claude-code", ofNpm(home, "claude"), given, {
    ...env,
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_AUTH_TOKEN: env["KEY"],
    ANTHROPIC_MODEL: MODEL,
    ANTHROPIC_SMALL_FAST_MODEL: MODEL,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    IS_SANDBOX: "1",
  });
}

async function tryOpencode({ home, url, env }: Stage): Promise<Result> {
  const config = join(home, "opencode.json");
  const options = { baseURL: `${url}/v1`, apiKey: env["KEY"] };
  const provider = { npm: "@ai-sdk/openai-compatible", name: "Parlance", options };
  await writeFile(
    config,
    JSON.stringify({ provider: { parlance: { ...provider, models: { [MODEL]: {} } } } }),
  );
  const given = ["run", "--model", `parlance/${MODEL}`, MAKE];
  return makesFile(home, "opencode-ai", ofNpm(home, "opencode"), given, {
    ...env,
    OPENCODE_CONFIG: config,
    OPENCODE_DISABLE_AUTOUPDATE: "1",
    OPENCODE_DISABLE_MODELS_FETCH: "1",
  });
}

async function tryAider({ home, url, env }: Stage): Promise<Result> {
  const program = pythonProgram(home, "aider", "aider");
  const given = ["--yes-always", "--no-git", "--message", MAKE_AS_TEXT];
  const quiet = ["--analytics-disable", "--no-check-update", "--no-show-model-warnings"];
  const model = ["--model", `openai/${MODEL}`];
  return makesFile(home, "aider-chat", program, [...given, ...quiet, ...model], {
    ...env,
    OPENAI_API_BASE: `${url}/v1`,
    OPENAI_API_KEY: env["KEY"],
  });
}

async function tryLlm({ home, url, env }: Stage): Promise<Result> {
  const LLM_USER_PATH = join(home, "llm");
  await mkdir(LLM_USER_PATH);
  const model = { model_id: "parlance", model_name: MODEL, api_base: `${url}/v1` };
  // YAML reads JSON
  await writeFile(
    join(LLM_USER_PATH, "extra-openai-models.yaml"),
    JSON.stringify([{ ...model, api_key_name: "parlance" }]),
  );
  await writeFile(
    join(LLM_USER_PATH, "keys.json"),
    JSON.stringify({ parlance: env["KEY"] }),
  );
  return tryTo("llm", "chat, streamed", async () => {
    const program = pythonProgram(home, "clients", "llm");
    const options = { env: { ...env, LLM_USER_PATH } };
    const { stdout } = await run(program, ["-m", "parlance", "Hello?"], options);
    if (stdout.trim() !== "Hello there") return `answered ${stdout}`;
  });
}

const ofNpm = (home: string, name: string) => join(home, "node_modules/.bin", name);

/** An agent in a terminal makes a file by its own tools. */
async function makesFile(
  home: string,
  client: string,
  program: string,
  given: string[],
  env: NodeJS.ProcessEnv,
): Promise<Result> {
  const cwd = join(home, "work");
  const file = join(cwd, "made.txt");
  await rm(file, { force: true });
  return tryTo(client, "a file edited by its tools", async () => {
    const { stdout, stderr } = await run(program, given, {
      cwd,
      env: { ...env, PWD: cwd },
    });
    const made = await readFile(file, "utf8").catch(() => "nothing");
    if (made !== MADE) return `made ${made}, and said ${stdout}${stderr}`;
  });
}

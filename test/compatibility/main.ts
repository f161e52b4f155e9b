import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { startFakeTaskProvider } from "../support/fake-task-provider.ts";
import { type Script, startScriptedProvider } from "../support/scripted-provider.ts";
import { tryGenerators } from "./generators.ts";
import { settingsOf } from "../support/scripted-server.ts";
import { startTestServer, type TestServer } from "../support/server.ts";

/**
 * Installs public clients in a folder of their own, runs each against a server with a scripted
 * model, and writes docs/compatibility.md. Ends with status 1 when one fails.
 */

/** Packages of npm, pinned. */
const NPM = {
  openai: "7.57.0",
  "@anthropic-ai/sdk": "1.14.0",
  "@openai/agents": "0.20.0",
  ai: "7.0.173",
  "@ai-sdk/openai": "4.0.118",
  "@ai-sdk/anthropic": "4.0.105",
  "@openai/codex": "0.171.0",
  "@anthropic-ai/claude-code": "2.1.332",
  zod: "4.6.7",
  "openapi-typescript": "7.13.0",
  "@hey-api/openapi-ts": "0.95.0",
  typescript: "5.9.3",
};
/** Distributions of PyPI, the newest. */
const PYPI = [
  "openai",
  "anthropic",
  "openai-agents",
  "langchain",
  "langchain-openai",
  "langchain-anthropic",
  "litellm",
  "llama-index-llms-openai-like",
  "a2a-sdk",
  "openapi-python-client",
  "scim2-tester",
  "httpx2",
];
const MODEL = "openai/gpt-test";
const TIMEOUT_MS = 180_000;
const run = promisify(execFile);

export interface Result {
  client: string;
  what: string;
  failure?: string | null;
  /** Where the client says it itself. */
  version?: string;
}

const folder = await mkdtemp(join(tmpdir(), "parlance-compatibility-"));
try {
  const results = await tryAll(folder);
  await writeFile(new URL("../../docs/compatibility.md", import.meta.url), toPage(results));
  const failed = results.filter(({ failure }) => failure);
  for (const { client, what, failure } of failed)
    console.log(`${client}: ${what}: ${failure}`);
  console.log(`${results.length} tried, ${failed.length} failed`);
  process.exitCode = failed.length > 0 ? 1 : 0;
} finally {
  await rm(folder, { recursive: true, force: true });
}

async function tryAll(home: string): Promise<(Result & { version: string })[]> {
  const versions = await install(home);
  await using provider = await startScriptedProvider();
  provider.answer((_, body) => answerOf(body, join(home, "work")));
  await using parlance = await startTestServer(settingsOf(provider));
  await using pictures = await startFakeTaskProvider();
  await offerTasks(parlance, pictures.url);
  const made = await parlance.request("/api/v1/auth/api-keys", {
    body: { name: "clients" },
  });
  const { key } = (await made.json()) as { key: string };
  const agent = await parlance.request("/api/v1/agent", { body: { name: "Helper" } });
  const { id: AGENT } = (await agent.json()) as { id: string };
  const env = { ...process.env, HOME: home, SERVER: parlance.url, KEY: key, MODEL, AGENT };
  const results = [
    ...(await linesOf(process.execPath, [join(home, "node-clients.mjs")], env)),
    ...(await linesOf(
      join(home, "python/bin/python"),
      [join(home, "python_clients.py")],
      env,
    )),
    await tryCodex(home, parlance.url, env),
    await tryClaude(home, parlance.url, env),
    ...(await tryGenerators(home, parlance)),
    ...(await linesOf(join(home, "python/bin/python"), [join(home, "scim_tester.py")], {
      ...env,
      SCIM_TOKEN: await scimToken(parlance),
    })),
  ];
  const versionOf = (client: string) =>
    versions.get(client) ?? versions.get(client.replace(" (PyPI)", "")) ?? "";
  return results.map((one) => ({ version: versionOf(one.client), ...one }));
}

/** Models that make images, speak and transcribe. */
async function offerTasks({ request }: Pick<TestServer, "request">, baseUrl: string) {
  const provider = { name: "tasks", displayName: "Tasks", kind: "openai-compatible" };
  const config = { baseUrl, apiKey: "key" };
  await request("/api/v1/model-providers", { body: { ...provider, config } });
  const offered = [
    ["image", "gpt-image-1"],
    ["speech", "gpt-4o-mini-tts"],
    ["transcription", "gpt-4o-transcribe"],
  ];
  for (const [kind, id] of offered) {
    await request("/api/v1/models", { body: { id, name: id, kind } });
    const offer = { modelId: id, providerName: "tasks", providerModelId: id };
    await request("/api/v1/available-models", { body: { id: `tasks/${id}`, ...offer } });
  }
}

/** Of the administrator, for a tester of SCIM. */
async function scimToken({ request }: Pick<TestServer, "request">): Promise<string> {
  const made = await request("/api/v1/scim-tokens", { body: { name: "tester" } });
  return ((await made.json()) as { token: string }).token;
}

/** What a model that obeys would do: it calls the first tool that it knows, then ends. */
function answerOf(
  { messages, tools = [] }: { messages: { role: string }[]; tools?: Tool[] },
  work: string,
): Script {
  const usage = { inputTokens: 10, outputTokens: 3 };
  if (messages.at(-1)?.role === "tool") return { text: ["All done."], usage };
  const command = "echo hello > made.txt";
  const calls: Record<string, object> = {
    get_weather: { city: "Bonn" },
    exec_command: { cmd: command },
    shell_command: { command },
    shell: { command: ["bash", "-lc", command] },
    Write: { file_path: join(work, "made.txt"), content: "hello\n" },
  };
  const name = Object.keys(calls).find((known) =>
    tools.some((tool) => tool.function.name === known),
  );
  if (name === undefined) return { text: ["Hello", " there"], usage };
  const call = { id: "call_1", name, arguments: calls[name] ?? {} };
  return { reasoning: ["So."], toolCalls: [call], usage };
}

interface Tool {
  function: { name: string };
}

/** @returns the version of each client. */
async function install(home: string): Promise<Map<string, string>> {
  await mkdir(join(home, "work"));
  for (const file of ["node-clients.mjs", "python_clients.py", "scim_tester.py"])
    await writeFile(join(home, file), await readFile(new URL(file, import.meta.url)));
  await writeFile(join(home, "package.json"), '{"private": true, "type": "module"}');
  const packages = Object.entries(NPM).map(([name, version]) =>
    version ? `${name}@${version}` : name,
  );
  await run("npm", ["install", "--silent", "--ignore-scripts", ...packages], { cwd: home });
  await run("node", ["node_modules/@anthropic-ai/claude-code/install.cjs"], { cwd: home });
  const pip = join(home, "python/bin/pip");
  await run("python3", ["-m", "venv", join(home, "python")]);
  await run(pip, ["install", "--quiet", ...PYPI], { maxBuffer: 2 ** 24 });
  const versions = new Map<string, string>();
  for (const name of Object.keys(NPM)) {
    const at = join(home, "node_modules", name, "package.json");
    versions.set(
      name,
      (JSON.parse(await readFile(at, "utf8")) as { version: string }).version,
    );
  }
  const { stdout } = await run(pip, ["list", "--format=json"]);
  for (const { name, version } of JSON.parse(stdout) as { name: string; version: string }[])
    versions.set(versions.has(name) ? `${name} (PyPI)` : name, version);
  return versions;
}

async function linesOf(
  program: string,
  given: string[],
  env: NodeJS.ProcessEnv,
): Promise<Result[]> {
  const { stdout } = await run(program, given, { env, timeout: TIMEOUT_MS });
  return stdout
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line) as Result);
}

async function tryCodex(
  home: string,
  url: string,
  env: NodeJS.ProcessEnv,
): Promise<Result> {
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
  ];
  return await makesFile(home, "@openai/codex", "codex", [...given, "Make a file."], {
    ...env,
    CODEX_HOME: config,
  });
}

async function tryClaude(
  home: string,
  url: string,
  env: NodeJS.ProcessEnv,
): Promise<Result> {
  const given = ["-p", "--dangerously-skip-permissions", "Make a file."];
  return await makesFile(home, "@anthropic-ai/claude-code", "claude", given, {
    ...env,
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_AUTH_TOKEN: env["KEY"],
    ANTHROPIC_MODEL: MODEL,
    ANTHROPIC_SMALL_FAST_MODEL: MODEL,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    IS_SANDBOX: "1",
  });
}

/** An agent in a terminal makes a file by its own tools. */
async function makesFile(
  home: string,
  client: string,
  program: string,
  given: string[],
  env: NodeJS.ProcessEnv,
): Promise<Result> {
  const what = "a file edited by its tools";
  const file = join(home, "work/made.txt");
  await rm(file, { force: true });
  try {
    const options = { cwd: join(home, "work"), env, timeout: TIMEOUT_MS };
    const running = run(join(home, "node_modules/.bin", program), given, options);
    running.child.stdin?.end();
    await running;
    const made = await readFile(file, "utf8");
    return { client, what, failure: made === "hello\n" ? null : `made ${made}` };
  } catch (error) {
    return { client, what, failure: String(error).slice(0, 300) };
  }
}

function inRow(text: string): string {
  return text.replaceAll("|", "/").replaceAll(/\s+/g, " ").trim();
}

function toPage(results: readonly (Result & { version: string })[]): string {
  const rows = results.map(
    ({ client, version, what, failure }) =>
      `| ${client} | ${version} | ${what} | ${failure ? `no: ${inRow(failure)}` : "yes"} |`,
  );
  return [
    "# Compatibility",
    "",
    "Written by `npm run compatibility`, which installs public clients, changes nothing but address,",
    "key and model, and lets them ask a server whose model is scripted. Four generators make clients of its",
    "OpenAPI document, and a tester of SCIM asks it. It needs npm's registry, PyPI, Python 3, and Go for",
    "the client in Go.",
    "",
    "| Client | Version | What | Works |",
    "| --- | --- | --- | --- |",
    ...rows,
    "",
  ].join("\n");
}

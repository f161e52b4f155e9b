import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { run } from "./trial.ts";

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
  "opencode-ai": "1.18.33",
  "@modelcontextprotocol/sdk": "1.32.2",
  "@modelcontextprotocol/client": "2.4.0",
  "@modelcontextprotocol/inspector": "2.12.0",
  "@modelcontextprotocol/server-everything": "2026.8.31",
  "@modelcontextprotocol/server-filesystem": "2026.8.31",
  "@modelcontextprotocol/server-memory": "2026.8.31",
  "mcp-remote": "0.15.1",
  zod: "4.6.7",
  "openapi-typescript": "7.13.0",
  "@hey-api/openapi-ts": "0.95.0",
  typescript: "5.9.3",
};

/** Distributions of PyPI, the newest; each environment has what its parts need. */
const PYPI = {
  clients: [
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
    "llm",
    // it does not know the second version of the SDK
    "langchain-mcp-adapters",
  ],
  tools: ["mcp", "fastmcp", "mcp-server-git", "mcp-server-time", "mcp-server-fetch"],
  // it pins all that it needs
  aider: ["aider-chat"],
};
export type Environment = keyof typeof PYPI;

const INSTALL_MS = 900_000;
const SCRIPTS = [
  "node-clients.mjs",
  "python_clients.py",
  "scim_tester.py",
  "tool-clients.mjs",
  "tool_clients.py",
  "fastmcp_server.py",
];

/** A program of an environment of Python. */
export const pythonProgram = (home: string, environment: Environment, name = "python") =>
  join(home, "python", environment, "bin", name);

/** @returns the version of each client. */
export async function install(home: string): Promise<Map<string, string>> {
  await mkdir(join(home, "work"));
  for (const file of SCRIPTS)
    await writeFile(join(home, file), await readFile(new URL(file, import.meta.url)));
  await writeFile(join(home, "package.json"), '{"private": true, "type": "module"}');
  const packages = Object.entries(NPM).map(([name, version]) => `${name}@${version}`);
  const given = ["install", "--silent", "--ignore-scripts", ...packages];
  await run("npm", given, { cwd: home, timeoutMs: INSTALL_MS });
  for (const script of [
    "@anthropic-ai/claude-code/install.cjs",
    "opencode-ai/postinstall.mjs",
  ])
    await run("node", [join("node_modules", script)], { cwd: home });
  const versions = new Map<string, string>();
  for (const name of Object.keys(NPM)) {
    const at = join(home, "node_modules", name, "package.json");
    const { version } = JSON.parse(await readFile(at, "utf8")) as { version: string };
    versions.set(name, version);
  }
  for (const environment of Object.keys(PYPI) as Environment[])
    for (const [name, version] of await installPython(home, environment))
      versions.set(versions.has(name) ? `${name} (PyPI)` : name, version);
  return versions;
}

async function installPython(
  home: string,
  environment: Environment,
): Promise<[string, string][]> {
  const pip = pythonProgram(home, environment, "pip");
  await run("python3", ["-m", "venv", join(home, "python", environment)]);
  const given = ["install", "--quiet", ...PYPI[environment]];
  await run(pip, given, { timeoutMs: INSTALL_MS });
  const { stdout } = await run(pip, ["list", "--format=json"]);
  const listed = JSON.parse(stdout) as { name: string; version: string }[];
  return listed
    .filter(({ name }) => (PYPI[environment] as string[]).includes(name))
    .map(({ name, version }) => [name, version]);
}

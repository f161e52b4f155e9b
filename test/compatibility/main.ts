import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startFakeMediaProvider } from "../support/fake-media-provider.ts";
import { type Script, startScriptedProvider } from "../support/scripted-provider.ts";
import { tryGenerators } from "./generators.ts";
import { settingsOf } from "../support/scripted-server.ts";
import { startTestServer, type TestServer } from "../support/server.ts";
import { install, pythonProgram } from "./install.ts";
import { MADE, MAKE_AS_TEXT, tryTerminals } from "./terminals.ts";
import { programs, tryToolServers, withToolServer } from "./tool-servers.ts";
import { MODEL, type Result, resultsOf } from "./trial.ts";

/**
 * Installs public clients and tool servers in a folder of their own, tries each with a server whose
 * model is scripted, and writes docs/compatibility.md. Ends with status 1 when one fails.
 */

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
  await using parlance = await startTestServer({
    ...settingsOf(provider),
    MCP_COMMANDS: programs(home),
  });
  await using pictures = await startFakeMediaProvider();
  await offerTasks(parlance, pictures.url);
  const made = await parlance.request("/api/v1/auth/api-keys", {
    body: { name: "clients" },
  });
  const { key } = (await made.json()) as { key: string };
  const agent = await parlance.request("/api/v1/agent", { body: { name: "Helper" } });
  const { id: AGENT } = (await agent.json()) as { id: string };
  const env = { ...process.env, HOME: home, SERVER: parlance.url, KEY: key, MODEL, AGENT };
  const python = pythonProgram(home, "clients");
  const scim = { ...env, SCIM_TOKEN: await scimToken(parlance) };
  const results = [
    ...(await resultsOf(process.execPath, [join(home, "node-clients.mjs")], env)),
    ...(await resultsOf(python, [join(home, "python_clients.py")], env)),
    ...(await tryTerminals({ home, url: parlance.url, env })),
    ...(await withToolServer(parlance, async () => [
      ...(await resultsOf(process.execPath, [join(home, "tool-clients.mjs")], env)),
      ...(await resultsOf(
        pythonProgram(home, "tools"),
        [join(home, "tool_clients.py"), "mcp (PyPI)", "fastmcp"],
        env,
      )),
      ...(await resultsOf(
        python,
        [join(home, "tool_clients.py"), "langchain-mcp-adapters"],
        env,
      )),
    ])),
    ...(await tryToolServers(home, parlance, key)),
    ...(await tryGenerators(home, parlance, key)),
    ...(await resultsOf(python, [join(home, "scim_tester.py")], scim)),
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
  if (JSON.stringify(messages.at(-1)).includes(MAKE_AS_TEXT))
    return { text: ["made.txt\n```\n", MADE, "```\n"], usage };
  const command = "echo hello > made.txt";
  const calls: Record<string, object> = {
    get_weather: { city: "Bonn" },
    exec_command: { cmd: command },
    shell_command: { command },
    shell: { command: ["bash", "-lc", command] },
    Write: { file_path: join(work, "made.txt"), content: MADE },
    bash: { command, description: "Makes a file" },
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
    "key and model, and lets them ask a server whose model is scripted. Clients of MCP use its tools, and it",
    "uses those of public tool servers. Four generators make clients of its OpenAPI document, and a tester of",
    "SCIM asks it. It needs npm's registry, PyPI, Python 3.10 to 3.12, and Go for the client in Go.",
    "",
    "| Client or server | Version | What | Works |",
    "| --- | --- | --- | --- |",
    ...rows,
    "",
  ].join("\n");
}

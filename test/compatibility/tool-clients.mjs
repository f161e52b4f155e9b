// Public clients of MCP on npm, unchanged and with their defaults, against a running server.
// Prints a line of JSON for each: what was tried, and why it failed if it did.
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Client as Client1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport as Transport1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

const { SERVER: url, KEY: apiKey, HOME: home } = process.env;
const address = `${url}/mcp`;
const authorization = `Authorization: Bearer ${apiKey}`;
const options = { requestInit: { headers: { Authorization: `Bearer ${apiKey}` } } };
const ECHO = { name: "echo", arguments: { message: "hello" } };

async function tried(client, what, work) {
  let failure;
  try {
    const answer = await work();
    if (!answer.includes("hello")) failure = `answered ${answer}`.slice(0, 200);
  } catch (error) {
    failure = String(error?.message ?? error).slice(0, 200);
  }
  console.log(JSON.stringify({ client, what, failure }));
}

/** Lists the tools, and calls the one that repeats. */
async function echo(client, transport) {
  await client.connect(transport);
  try {
    const { tools } = await client.listTools();
    if (!tools.some(({ name }) => name === "echo")) throw new Error("no tool echo");
    const { content } = await client.callTool(ECHO);
    return content.map(({ text }) => text).join("");
  } finally {
    await client.close();
  }
}

const info = { name: "compatibility", version: "1" };
await tried("@modelcontextprotocol/sdk", "a tool", () =>
  echo(new Client1(info), new Transport1(new URL(address), options)),
);
await tried("@modelcontextprotocol/client", "a tool", () =>
  echo(new Client(info), new StreamableHTTPClientTransport(new URL(address), options)),
);
await tried("mcp-remote", "a tool, by a program that knows stdio", () => {
  const args = [`${home}/node_modules/.bin/mcp-remote`, address, "--header", authorization];
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [...args, "--allow-http"],
    env: { ...process.env },
    stderr: "ignore",
  });
  return echo(new Client1(info), transport);
});
await tried("@modelcontextprotocol/inspector", "a tool, in a terminal", async () => {
  const call = [
    "--method",
    "tools/call",
    "--tool-name",
    "echo",
    "--tool-arg",
    "message=hello",
  ];
  const args = [
    "--cli",
    address,
    "--transport",
    "http",
    ...call,
    "--header",
    authorization,
  ];
  const program = `${home}/node_modules/.bin/mcp-inspector`;
  const { stdout } = await promisify(execFile)(program, args, { timeout: 60_000 });
  return stdout;
});
process.exit();

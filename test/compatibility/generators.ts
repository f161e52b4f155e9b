import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { TestServer } from "../support/server.ts";
import type { Result } from "./main.ts";

/** Generators of clients, which read the OpenAPI document of the server. */

const OAPI_CODEGEN = "v2.8.2";
const TIMEOUT_MS = 300_000;
const run = promisify(execFile);

/** openapi-python-client knows no media types of pictures and lines; their bytes are a file. */
const PYTHON_SETTINGS = [
  "content_type_overrides:",
  ...["image/png", "image/jpeg", "image/webp", "application/x-ndjson"].map(
    (type) => `  ${type}: application/octet-stream`,
  ),
  "",
].join("\n");

export async function tryGenerators(
  home: string,
  { request }: Pick<TestServer, "request">,
): Promise<Result[]> {
  const folder = join(home, "generated");
  await mkdir(folder);
  const document = join(folder, "openapi.json");
  const answer = await request("/openapi.json");
  await writeFile(document, await answer.text());
  const bin = (name: string) => join(home, "node_modules/.bin", name);
  const python = (name: string) => join(home, "python/bin", name);
  return [
    await tryTo(
      "openapi-typescript",
      "types, strict and without skipLibCheck",
      async () => {
        const types = join(folder, "api.d.ts");
        await quiet(bin("openapi-typescript"), [document, "-o", types]);
        await quiet(bin("tsc"), ["--strict", "--noEmit", types]);
      },
    ),
    await tryTo("@hey-api/openapi-ts", "a client", () =>
      quiet(bin("openapi-ts"), ["-i", document, "-o", join(folder, "hey")], home),
    ),
    await tryTo("openapi-python-client", "a client", async () => {
      const settings = join(folder, "python.yaml");
      await writeFile(settings, PYTHON_SETTINGS);
      const target = ["--output-path", join(folder, "python"), "--overwrite"];
      const given = ["generate", "--path", document, "--config", settings, ...target];
      // it formats what it makes by ruff, which it installs beside itself
      const PATH = `${join(home, "python/bin")}:${process.env["PATH"]}`;
      await quiet(python("openapi-python-client"), given, undefined, { PATH });
    }),
    await tryGo(folder, document),
  ];
}

/** A client in Go, which is compiled. */
async function tryGo(folder: string, document: string): Promise<Result> {
  const client = "oapi-codegen";
  const what = "a client, compiled";
  const env = { ...process.env, GOBIN: join(folder, "bin") };
  const options = { cwd: join(folder, "go"), env, timeout: TIMEOUT_MS };
  await mkdir(options.cwd);
  const tried = await tryTo(client, what, async () => {
    const module = `github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@${OAPI_CODEGEN}`;
    await run("go", ["install", module], options);
    const parts = ["-generate", "types,client", "-package", "client", "-o", "client.go"];
    await quiet(join(env.GOBIN, "oapi-codegen"), [...parts, document], options.cwd);
    await writeFile(join(options.cwd, "go.mod"), "module example.com/client\n\ngo 1.22\n");
    await run("go", ["mod", "tidy"], options);
    await run("go", ["build", "./..."], options);
  });
  return { ...tried, version: OAPI_CODEGEN.slice(1) };
}

async function tryTo(
  client: string,
  what: string,
  work: () => Promise<void>,
): Promise<Result> {
  try {
    await work();
    return { client, what, failure: null };
  } catch (error) {
    return { client, what, failure: String(error).slice(0, 300) };
  }
}

/** Runs a program, which must warn of nothing. */
async function quiet(
  program: string,
  given: string[],
  cwd?: string,
  more: NodeJS.ProcessEnv = {},
): Promise<void> {
  const env = { ...process.env, ...more };
  const options = { timeout: TIMEOUT_MS, maxBuffer: 2 ** 26, env, ...(cwd && { cwd }) };
  const { stdout, stderr } = await run(program, given, options);
  const said = `${stdout}${stderr}`;
  if (/\b(?:warn(?:ing)?s?|error|fail(?:ed|ure)?)\b/i.test(said))
    throw new Error(`it says: ${said.slice(0, 300)}`);
}

import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { TestServer } from "../support/server.ts";
import { pythonProgram } from "./install.ts";
import { tryPythonClient, writeDocument } from "./python-client.ts";
import { quiet, type Result, run, tryTo } from "./trial.ts";

/** Generators of clients, which read the OpenAPI document of the server. */

const OAPI_CODEGEN = "v2.8.2";

export async function tryGenerators(
  home: string,
  parlance: TestServer,
  key: string,
): Promise<Result[]> {
  const folder = join(home, "generated");
  const document = await writeDocument(folder, parlance);
  const bin = (name: string) => join(home, "node_modules/.bin", name);
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
    ...(await tryPythonClient(
      document,
      dirname(pythonProgram(home, "clients")),
      parlance,
      key,
    )),
    await tryGo(folder, document),
  ];
}

/** A client in Go, which is compiled. */
async function tryGo(folder: string, document: string): Promise<Result> {
  const client = "oapi-codegen";
  const what = "a client, compiled";
  const env = { ...process.env, GOBIN: join(folder, "bin") };
  const options = { cwd: join(folder, "go"), env };
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

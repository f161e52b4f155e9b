import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { TestServer } from "../support/server.ts";
import { quiet, type Result, resultsOf } from "./trial.ts";

/** openapi-python-client knows no media types of pictures and lines; their bytes are a file. */
const SETTINGS = [
  "content_type_overrides:",
  ...["image/png", "image/jpeg", "image/webp", "application/x-ndjson"].map(
    (type) => `  ${type}: application/octet-stream`,
  ),
  "",
].join("\n");
const USE = fileURLToPath(new URL("use_generated.py", import.meta.url));

/** Writes the OpenAPI document of a server into a folder. @returns its path. */
export async function writeDocument(
  folder: string,
  { request }: Pick<TestServer, "request">,
): Promise<string> {
  await mkdir(folder, { recursive: true });
  const document = join(folder, "openapi.json");
  await writeFile(document, await (await request("/openapi.json")).text());
  return document;
}

/**
 * A client in Python is made of the OpenAPI document, without a warning, and used.
 * @param document its path; what is made stands beside it.
 * @param programs the folder of openapi-python-client and its Python.
 */
export async function tryPythonClient(
  document: string,
  programs: string,
  { url }: Pick<TestServer, "url">,
  key: string,
): Promise<Result[]> {
  const folder = dirname(document);
  const settings = join(folder, "python.yaml");
  const target = join(folder, "python");
  await writeFile(settings, SETTINGS);
  const given = ["generate", "--path", document, "--config", settings];
  // it formats what it makes by ruff, which it installs beside itself
  const PATH = `${programs}:${process.env["PATH"]}`;
  await quiet(
    join(programs, "openapi-python-client"),
    [...given, "--output-path", target, "--overwrite"],
    dirname(folder),
    { PATH },
  );
  const env = { ...process.env, SERVER: url, KEY: key };
  return resultsOf(join(programs, "python"), [USE, target], env);
}

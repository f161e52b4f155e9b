#!/usr/bin/env node
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { parseArgs } from "node:util";
import { FileError, toMarkdown } from "./to-markdown.ts";

const USAGE = `Usage: to-markdown [options] <file>…

Prints a document as markdown. Pages are separated by a form feed.

  --images <folder>   write the pictures of the document into this folder
  --json              print everything as JSON: markdown, pages, title, warnings, tables
  --help              print this`;

const OPTIONS = {
  images: { type: "string" },
  json: { type: "boolean", default: false },
  help: { type: "boolean", default: false, short: "h" },
} as const;

process.exitCode = await main(process.argv.slice(2));

function readArguments(args: string[]) {
  try {
    return parseArgs({ args, allowPositionals: true, options: OPTIONS });
  } catch (error) {
    return (error as Error).message; // a TypeError
  }
}

async function main(args: string[]): Promise<number> {
  const read = readArguments(args);
  if (typeof read === "string") {
    console.error(`${read}\n\n${USAGE}`);
    return 2;
  }
  const { values, positionals } = read;
  if (values.help || positionals.length === 0) {
    console.error(USAGE);
    return values.help ? 0 : 2;
  }
  let status = 0;
  for (const path of positionals) {
    try {
      await print(path, values.images, values.json);
    } catch (error) {
      if (!(error instanceof FileError) && !isFileSystemError(error)) throw error;
      console.error(`${path}: ${(error as Error).message}`); // both are errors
      status = 1;
    }
  }
  return status;
}

async function print(
  path: string,
  folder: string | undefined,
  json: boolean,
): Promise<void> {
  const { images = [], ...file } = await toMarkdown(await readFile(path), {
    fileName: basename(path),
    extractTables: json,
    extractImages: folder !== undefined,
  });
  if (folder !== undefined) {
    await mkdir(folder, { recursive: true });
    for (const { name, bytes } of images)
      await writeFile(join(folder, basename(name)), bytes);
  }
  for (const warning of file.warnings) console.error(`${path}: ${warning}`);
  process.stdout.write(json ? `${JSON.stringify(file)}\n` : `${file.markdown}\n`);
}

function isFileSystemError(error: unknown): boolean {
  return error instanceof Error && "syscall" in error;
}

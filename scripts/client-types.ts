import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { describeApi } from "../src/server/load-contracts.ts";
import { type ApiDocument, writeOperations } from "./client-types/operations.ts";
import { writeSchemas } from "./client-types/schemas.ts";
import { readArguments } from "./read-arguments.ts";

const USAGE = `Usage: npm run client-types [-- --check]

Writes the types and the table of operations of packages/client from the OpenAPI document.

  --check  write nothing, and fail when a file differs
  --help   print this`;

const { values } = readArguments(USAGE, {
  options: { check: { type: "boolean", default: false } },
});
const document = (await describeApi()) as ApiDocument;
const operations = writeOperations(document);
const files = {
  "packages/client/src/operations.ts": operations.types,
  "packages/client/src/table.ts": operations.table,
  "packages/client/src/schemas.ts": writeSchemas(document, operations.schemas),
};
let isStale = false;
for (const [file, text] of Object.entries(files)) {
  const formatted = format(file, text);
  if (!values.check) writeFileSync(file, formatted);
  else if (readFileSync(file, "utf8") !== formatted) {
    console.error(`${file} is not what the contracts say: run npm run client-types`);
    isStale = true;
  }
}
process.exitCode = isStale ? 1 : 0;

function format(file: string, text: string): string {
  return execFileSync("node_modules/.bin/oxfmt", [`--stdin-filepath=${file}`], {
    input: text,
    encoding: "utf8",
    maxBuffer: 2 ** 26,
  });
}

import { readFileSync } from "node:fs";
import { readArguments } from "./read-arguments.ts";

const USAGE = `Usage: node scripts/test-summary.ts <reports…>

Adds up JSON reports of vitest, prints one line, and ends with 1 when a test failed.

  --help  print this`;

const { positionals } = readArguments(USAGE, { allowPositionals: true });
let passed = 0;
let failed = 0;
let whole = true;
for (const file of positionals) {
  const report = JSON.parse(readFileSync(file, "utf8")) as {
    numPassedTests: number;
    numFailedTests: number;
    success: boolean;
  }; // vitest's json reporter
  passed += report.numPassedTests;
  failed += report.numFailedTests;
  // a file that could not be loaded fails without a failed test
  whole &&= report.success;
}
const notLoaded = failed === 0 && !whole ? ", and a file failed as a whole" : "";
console.log(`${passed} passed, ${failed} failed${notLoaded}`);
process.exit(failed > 0 || !whole ? 1 : 0);

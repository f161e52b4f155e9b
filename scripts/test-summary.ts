import { readFileSync } from "node:fs";

/** Adds up vitest's JSON reports and prints one closing line. */
let passed = 0;
let failed = 0;
let whole = true;
for (const file of process.argv.slice(2)) {
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
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed > 0 || !whole ? 1 : 0);

import { configDefaults, defineConfig } from "vitest/config";
import { longFirst } from "./test/support/long-first.ts";
import { testsAlone } from "./test/support/tests-alone.ts";
import { testsWithoutServers } from "./test/support/tests-without-servers.ts";

// CI gathers what both runs counted
const report = process.env["VITEST_REPORT"];

const isOnServers = process.env["DATABASE_URL"] !== undefined;

const tests = [
  "src/**/*.test.ts",
  "packages/**/*.test.ts",
  "test/**/*.test.ts",
  "bench/**/*.test.ts",
  "web/**/*.test.ts",
];
const alone = testsAlone(tests);
const left = [...configDefaults.exclude, ...(isOnServers ? testsWithoutServers(tests) : [])];

const common = {
  setupFiles: ["test/support/before-each-file.ts"],
  // a busy machine is no failure: only what never ends is
  testTimeout: 180_000,
  hookTimeout: 180_000,
  expect: { poll: { timeout: 90_000 } },
  pool: "forks" as const,
  // each test file starts databases in WebAssembly: to optimise their code takes longer than it saves
  execArgv: ["--liftoff-only"],
};

export default defineConfig({
  test: {
    projects: [
      { test: { ...common, name: "alone", include: alone, exclude: left } },
      {
        test: {
          ...common,
          name: "shared",
          include: tests,
          exclude: [...left, ...alone],
          isolate: false,
        },
      },
    ],
    globalSetup: ["test/support/prepare-tests.ts"],
    // tests wait for servers and processes most of the time: one more than the two cores of CI
    maxWorkers: 3,
    sequence: {
      sequencer: longFirst([
        "test/access/matrix.test.ts",
        "src/services/sandbox/run-code.test.ts",
        "src/services/sandbox/engines/node.test.ts",
        "test/ingest-faults.test.ts",
        "test/places-of-citations.test.ts",
        "test/faults.test.ts",
        "test/large-parses.test.ts",
        "test/restart.test.ts",
        "test/automation-restart.test.ts",
        "test/automation-schedules.test.ts",
        "test/conformance.test.ts",
        "test/conformance-client.test.ts",
        "test/group-streams.test.ts",
        "test/parsing-deadline.test.ts",
      ]),
    },
    reporters: report ? ["default", ["json", { outputFile: report }]] : ["default"],
  },
});

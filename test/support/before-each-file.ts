import { configureGlobal } from "fast-check";
import { vi } from "vitest";

/**
 * Generates the same values in every run, so that a failure is due to a change. TEST_SEED selects
 * others.
 */
configureGlobal({ seed: Number(process.env["TEST_SEED"] ?? 20_261_122) });

// thousands of sign-ins would take a quarter of the time of all tests; password.test.ts holds what
// the server itself uses
vi.mock("../../src/services/users/sign-in/password-cost.ts", () => ({
  PASSWORD_COST: { N: 2 ** 10, r: 8, p: 1 },
}));

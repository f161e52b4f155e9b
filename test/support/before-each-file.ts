import { configureGlobal } from "fast-check";

/**
 * Generates the same values in every run, so that a failure is due to a change. TEST_SEED selects
 * others.
 */
configureGlobal({ seed: Number(process.env["TEST_SEED"] ?? 20_261_122) });

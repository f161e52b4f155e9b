import { configureGlobal } from "fast-check";

/**
 * The same generated values in every run, so that a failure is of the change that it follows.
 * TEST_SEED tries others.
 */
configureGlobal({ seed: Number(process.env["TEST_SEED"] ?? 20_261_122) });

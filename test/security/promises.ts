import { FAULTS } from "./faults.ts";
import type { SecurityPromise } from "./promise.ts";
import { THREATS } from "./threats.ts";

/** What docs/security.md promises. */
export const PROMISES = { ...THREATS, ...FAULTS };

export type PromiseKey = keyof typeof PROMISES;

export const listPromises = (): [string, SecurityPromise][] => Object.entries(PROMISES);

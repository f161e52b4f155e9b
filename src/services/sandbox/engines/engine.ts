import type { Isolation } from "../../../platform/isolation/isolation.ts";

/** A way to run code: the command of a process that obeys `messages.ts`. */
export interface Engine {
  name: "pyodide" | "python";
  command(isolation: Isolation): Promise<{ file: string; args: string[] }>;
  /** Of the process. It has no other variable. */
  environment: Readonly<Record<string, string>>;
}

import type { Isolation } from "../../../platform/isolation/isolation.ts";

/** How a process starts. */
export interface Start {
  file: string;
  args: readonly string[];
  /** It has no other variable. */
  environment: Readonly<Record<string, string>>;
}

/** A way to run code: processes that obey `messages.ts`. */
export interface Engine {
  name: "pyodide" | "python" | "node";
  start(isolation: Isolation): Promise<Start>;
}

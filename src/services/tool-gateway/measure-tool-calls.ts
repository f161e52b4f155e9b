import { Histogram, type Registry } from "prom-client";

/** How a call ended: `tool_error` is an answer of the tool, `failed` is none. */
export type CallOutcome = "ok" | "tool_error" | "failed" | "cancelled";

/** Calls of tools, for operators. */
export interface ToolCallTimes {
  /** A call begins. Call what it returns at its end. */
  begin(server: string): (outcome: CallOutcome) => void;
}

const SECONDS = [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600];

export function measureToolCalls(registry: Registry): ToolCallTimes {
  const duration = new Histogram({
    name: "tool_call_duration_seconds",
    help: "Time of a call at a tool server, by how it ended",
    // no tool: its server names as many as it likes
    labelNames: ["server", "outcome"],
    buckets: SECONDS,
    registers: [registry],
  });
  return {
    begin(server) {
      const startedAt = performance.now();
      return (outcome) =>
        duration.observe({ server, outcome }, (performance.now() - startedAt) / 1_000);
    },
  };
}

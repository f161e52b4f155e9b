import { collectDefaultMetrics, Histogram, Registry } from "prom-client";

/**
 * How often the loop is looked at, in ms: what holds it up for longer is seen whole, and an idle
 * process is not woken a hundred times a second.
 */
const LOOP_LOOK_MS = 100;

export function createMetrics(): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: LOOP_LOOK_MS });
  return registry;
}

export interface HttpMetrics {
  /** Starts a clock for one request; call the result with the status when it has ended. */
  timer(labels: { service: string; route: string; method: string }): (status: number) => void;
}

/**
 * Time and status by route; the route's pattern, never its ids, so that labels stay few and name
 * nobody.
 */
export function httpMetrics(registry: Registry): HttpMetrics {
  const seconds = new Histogram({
    name: "http_request_duration_seconds",
    help: "Time from the request to the end of its answer",
    labelNames: ["service", "route", "method", "status"],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300],
    registers: [registry],
  });
  return {
    timer(labels) {
      const startedAt = performance.now();
      return (status) =>
        seconds.observe(
          { ...labels, status: String(status) },
          (performance.now() - startedAt) / 1000,
        );
    },
  };
}

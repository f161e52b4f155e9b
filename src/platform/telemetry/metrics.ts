import { collectDefaultMetrics, Histogram, Registry } from "prom-client";

/**
 * Interval of event loop samples: short enough to measure delays, and long enough that an idle
 * process rarely wakes.
 */
const LOOP_SAMPLE_INTERVAL_MS = 100;

export function createMetrics(): Registry {
  const registry = new Registry();
  collectDefaultMetrics({
    register: registry,
    eventLoopMonitoringPrecision: LOOP_SAMPLE_INTERVAL_MS,
  });
  // sums of others that are there, under names that only counters may have
  for (const kind of ["handles", "requests", "resources"])
    registry.removeSingleMetric(`nodejs_active_${kind}_total`);
  return registry;
}

export interface HttpMetrics {
  /** Starts the timer of a request. Call the returned function with the status at its end. */
  timer(labels: {
    service: string;
    route: string;
    method: string;
  }): (status: number) => void;
}

/**
 * Measures duration and status by route pattern. Labels hold no ids: few series, no personal data.
 */
export function httpMetrics(registry: Registry): HttpMetrics {
  const seconds = new Histogram({
    name: "http_request_duration_seconds",
    help: "Time from the request to the end of its response",
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

/** What stands for the names beyond the bound. */
const OTHER = "other";

/**
 * Names as labels of metrics, of which each makes a series that stays: the first so many, and
 * `other` for the rest.
 */
export function boundedNames(max = 500): (name: string) => string {
  const known = new Set<string>();
  return (name) => {
    if (known.has(name)) return name;
    if (known.size >= max) return OTHER;
    known.add(name);
    return name;
  };
}

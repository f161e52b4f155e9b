import { alike, operators, type Rows, services } from "../row.ts";

const open = {
  access: "public",
  cases: { it: { ask: () => ({}), answers: alike() } },
} as const;
/** On a PORT that only this machine reaches. */
const observed = {
  access: ["public", "local", "service-secret", "admin"],
  cases: open.cases,
} as const;
const embeddingJobs = () => ({ params: { name: "embedding_jobs" } });

export const server: Rows = {
  health: observed,
  healthPlain: observed,
  liveness: open,
  readiness: observed,
  metrics: { access: ["local", "service-secret", "admin"], cases: open.cases },
  openApi: open,
  docs: open,
  jobs: {
    access: "service-secret",
    cases: { it: { ask: () => ({}), answers: services } },
  },
  events: { access: "jwt", cases: { it: { ask: () => ({}), answers: alike() } } },
  queues: { access: "operator", cases: { it: { ask: () => ({}), answers: operators() } } },
  deadLetters: {
    access: "operator",
    cases: { it: { ask: embeddingJobs, answers: operators() } },
  },
  retryDeadLetters: {
    access: "operator",
    cases: { it: { ask: () => ({ ...embeddingJobs(), body: {} }), answers: operators() } },
  },
  discardDeadLetters: {
    access: "operator",
    cases: { it: { ask: embeddingJobs, answers: operators() } },
  },
};

import { administrators, alike, type Rows } from "../row.ts";

const open = { access: "public", cases: { it: { ask: () => ({}), answers: alike() } } } as const;
const embeddingJobs = () => ({ params: { name: "embedding_jobs" } });

export const server: Rows = {
  health: open,
  healthPlain: open,
  liveness: open,
  readiness: open,
  metrics: open,
  openApi: open,
  docs: open,
  queues: { access: "admin", cases: { it: { ask: () => ({}), answers: administrators() } } },
  deadLetters: {
    access: "admin",
    cases: { it: { ask: embeddingJobs, answers: administrators() } },
  },
  retryDeadLetters: {
    access: "admin",
    cases: { it: { ask: () => ({ ...embeddingJobs(), body: {} }), answers: administrators() } },
  },
};

import { alike, type Rows } from "../row.ts";

const open = { access: "public", cases: { it: { ask: () => ({}), answers: alike() } } } as const;

export const house: Rows = {
  health: open,
  healthPlain: open,
  liveness: open,
  readiness: open,
  metrics: open,
  openApi: open,
  docs: open,
};

import { z } from "zod";
import { call, type Fetch } from "../../platform/http/call.ts";
import { route } from "../../platform/http/route.ts";
import { AnsweredBy } from "../completion/contract.ts";
import { RunBudget } from "../agent-loop/contract-budget.ts";

/** Asked by other services before they let a user use a model. */
export const admissionContract = {
  admitRun: route({
    method: "post",
    path: "/api/v1/budgets/admission",
    access: "service-secret",
    changes: "none",
    summary: "Check whether a user may use a model now, and how much of it in one run",
    description:
      "`429 budget_exceeded` when a budget that holds for the user is used up, " +
      "`403 permission_missing` when the user's roles do not permit the model.",
    body: z.object({
      userId: z.string().min(1).max(200),
      clientId: z.string().max(200).default(""),
      email: z.string().max(320).default(""),
      roles: z.array(z.string().max(200)).max(1_000).default([]),
      model: z
        .string()
        .min(1)
        .max(300)
        .optional()
        .describe("Absent for a task of the platform, of which the user sees no answer"),
      isFree: z
        .boolean()
        .optional()
        .describe("The model of the task has no price, so that money does not limit it"),
      mayReplace: z
        .boolean()
        .optional()
        .describe(
          "Whether another model may answer, where the budget does not reach for this one",
        ),
    }),
    ok: z.object({
      budgets: z.array(RunBudget),
      answeredBy: AnsweredBy.optional().describe(
        "A fallback without a price, where only money is used up",
      ),
    }),
  }),
  listFallbacks: route({
    method: "post",
    path: "/api/v1/budgets/fallbacks",
    access: "service-secret",
    changes: "none",
    summary: "List the fallbacks of a model that may answer for a user now",
    description:
      "Those that the user's roles permit, within the budgets that hold for the user and the agent: " +
      "where only money is used up, those that cost nothing.",
    body: z.object({
      model: z.string().min(1).max(300).describe("Id of an available model"),
      userId: z.string().max(300).optional().describe("Absent: for nobody, so all of them"),
      agentId: z.string().max(300).optional(),
    }),
    ok: z.object({ models: z.array(z.string()).describe("Ids, in their order") }),
  }),
};

const TIMEOUT_MS = 10_000;

/** Whom a use of a model counts for; with `roles`, which must permit the model. */
export interface Spender {
  userId: string;
  clientId?: string;
  roles?: readonly string[];
}

/**
 * Checks that a model may be used for a user now. Without a core service there are no budgets.
 * @throws ApiError `budget_exceeded`, `permission_missing`.
 */
export async function admitUse(
  core: Fetch | undefined,
  { userId, clientId, roles }: Spender,
  model: string,
  signal: AbortSignal,
): Promise<void> {
  const body = roles ? { userId, clientId, roles: [...roles], model } : { userId };
  await admit(core, body, signal);
}

/**
 * The same for a task of the platform whose model is known to have a price or none.
 * @throws ApiError `budget_exceeded`.
 */
export async function admitTask(
  core: Fetch | undefined,
  task: { userId: string; isFree: boolean },
  signal: AbortSignal,
): Promise<void> {
  await admit(core, task, signal);
}

async function admit(
  core: Fetch | undefined,
  body: z.input<typeof admissionContract.admitRun.body & {}>,
  signal: AbortSignal,
): Promise<void> {
  if (!core) return;
  const options = { signal, timeoutMs: TIMEOUT_MS };
  await call(core, admissionContract.admitRun, { body }, options);
}

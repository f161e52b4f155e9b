import { z } from "zod";
import { route } from "../../platform/http/route.ts";
import { RunBudget } from "../agent/contract-budget.ts";

/** Asked by other services before they let a user use a model. */
export const admissionContract = {
  admitRun: route({
    method: "post",
    path: "/api/v1/budgets/admission",
    access: "service-secret",
    summary: "Check whether a user may use a model now, and how much of it in one run",
    description:
      "`429 budget_exceeded` when a budget that holds for the user is used up, " +
      "`403 permission_missing` when the user's roles do not permit the model.",
    body: z.object({
      userId: z.string().min(1).max(200),
      clientId: z.string().max(200).default(""),
      email: z.string().max(320).default(""),
      roles: z.array(z.string().max(200)).max(1_000).default([]),
      model: z.string().min(1).max(300),
    }),
    ok: z.object({ budgets: z.array(RunBudget) }),
  }),
};

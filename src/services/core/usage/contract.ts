import { z } from "zod";
import { storableTime } from "../../../platform/http/bounds.ts";
import { pageOf, pageQuery } from "../../../platform/http/page.ts";
import { route } from "../../../platform/http/route.ts";

/** Usage reports and budgets. See docs/usage.md. */

const DisplayName = z
  .string()
  .nullable()
  .describe(
    "Name of the user or agent; null for others, and for users outside the caller's organisation",
  );
const Sum = z.object({
  group: z.string(),
  name: DisplayName,
  inputTokens: z.number(),
  outputTokens: z.number(),
  cachedInputTokens: z
    .number()
    .describe("Of the input: what providers had in their caches"),
  cacheWriteInputTokens: z
    .number()
    .describe("Of the input: what providers put into their caches"),
  images: z.number().describe("Images that were made"),
  seconds: z.number().describe("Of recordings that were written down"),
  characters: z.number().describe("Of what was spoken or judged"),
  requests: z.number().int(),
  cost: z
    .number()
    .nullable()
    .describe("Cost of the replies whose model has a price; null if none has"),
  currency: z.string().nullable().describe("null if there are several"),
});

const BudgetFields = z.object({
  name: z.string().trim().min(1).max(200),
  subjectType: z
    .enum(["user", "group", "agent", "run"])
    .describe("`run`: a single reply with its tool calls"),
  subjectId: z
    .string()
    .min(1)
    .max(100)
    .describe(
      "`*`: every user or agent separately; for `run`: the agent that replies, or `*` for any",
    ),
  share: z
    .enum(["pool", "each"])
    .default("each")
    .describe("For a group: one amount for all members, or this amount for each"),
  unit: z
    .enum(["tokens", "money"])
    .describe("`money`: in the currency of the models' prices"),
  amount: z.number().min(0.000_001).max(1e13),
  period: z
    .enum(["day", "week", "month", "total"])
    .describe("In UTC; weeks start on Monday. Ignored for `run`"),
  warnAt: z
    .number()
    .min(0)
    .max(1)
    .default(0.8)
    .describe("The share of the amount from which users are warned"),
  enabled: z.boolean().default(true),
});
export const NewBudget = BudgetFields.refine(
  ({ subjectType, subjectId }) =>
    subjectType !== "group" || z.uuid().safeParse(subjectId).success,
  "a budget of groups names one group by its id",
);
export type NewBudget = z.output<typeof NewBudget>;
export const BudgetChange = z
  .object({
    name: BudgetFields.shape.name,
    amount: BudgetFields.shape.amount,
    warnAt: z.number().min(0).max(1),
    enabled: z.boolean(),
  })
  .partial();

export const Budget = BudgetFields.extend({
  id: z.uuid(),
  createdBy: z.string(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
});
export type Budget = z.output<typeof Budget>;

const Period = z.object({
  startsAt: z.iso
    .datetime()
    .nullable()
    .describe("Start of the current period; null for `total`"),
  resetsAt: z.iso.datetime().nullable(),
});
const Names = z.object({
  subjectName: z
    .string()
    .nullable()
    .describe("Name of the user, group or agent; null for `*` and for what is deleted"),
  creatorName: z.string().nullable().describe("null for deleted users"),
});
export type BudgetNames = z.output<typeof Names>;
const BudgetInUse = Budget.extend({
  ...Period.shape,
  ...Names.shape,
  spent: z.number().describe("What everybody together spent in the current period"),
  highest: z.number().describe("What the highest spender spent in the current period"),
});
export type BudgetInUse = z.output<typeof BudgetInUse>;

export const BudgetState = z.object({
  budgetId: z.uuid(),
  name: z.string(),
  unit: BudgetFields.shape.unit,
  amount: z.number(),
  spent: z.number(),
  warn: z.boolean().describe("Nearly used up"),
  exceeded: z.boolean(),
  ...Period.shape,
  ...Budget.pick({
    subjectType: true,
    subjectId: true,
    share: true,
    period: true,
    createdBy: true,
    createdAt: true,
  }).shape,
});
export type BudgetState = z.output<typeof BudgetState>;

const Subject = z.string().min(1).max(400);
const StorableDate = z.iso
  .date()
  .refine((date) => storableTime().safeParse(`${date}T00:00:00Z`).success);
const DateOrTime = z.union([StorableDate, storableTime()]);
/** By name: the signs of offsets mean the opposite in PostgreSQL. */
const TimeZone = z
  .string()
  .max(100)
  .regex(/^[A-Za-z]/, "a name such as Europe/Berlin")
  .refine(isTimeZone, "a name such as Europe/Berlin");

function isTimeZone(timeZone: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}

const byId = z.object({ id: z.uuid() });
const base = "/api/v1/budgets";

export const usageContract = {
  usage: route({
    method: "get",
    path: "/api/v1/usage",
    access: "jwt",
    permission: "usage:read",
    summary: "Sum tokens and costs: the caller's own, or everybody's for administrators",
    query: pageQuery.extend({
      from: DateOrTime.optional().describe("A date is its first moment in `timeZone`"),
      to: DateOrTime.optional().describe(
        "Exclusive; a date is its first moment in `timeZone`",
      ),
      groupBy: z.enum(["day", "user", "model", "agent"]).default("day"),
      timeZone: TimeZone.default("UTC").describe(
        "Where days begin and end, such as Europe/Berlin",
      ),
      userId: Subject.optional().describe("Only replies for this user"),
      model: Subject.optional().describe("Only replies of this model, as `provider/model`"),
      agentId: Subject.optional().describe(
        "Only replies of this agent; `none`: of no agent",
      ),
    }),
    ok: pageOf(Sum),
  }),
  ownBudgets: route({
    method: "get",
    path: `${base}/mine`,
    access: "jwt",
    permission: "usage:read",
    summary: "Read the state of the budgets that apply to the caller",
    ok: z.object({ budgets: z.array(BudgetState.extend(Names.shape)) }),
  }),
  listBudgets: route({
    method: "get",
    path: base,
    access: "operator",
    permission: "budget:administer",
    summary: "List all budgets, each with what is spent of it",
    query: pageQuery,
    ok: pageOf(BudgetInUse),
  }),
  createBudget: route({
    method: "post",
    path: base,
    access: "operator",
    permission: "budget:administer",
    changes: "budget",
    summary: "Create a budget",
    failures: { 404: "`group_not_found`: there is no such group." },
    body: NewBudget,
    status: 201,
    ok: Budget,
  }),
  getBudget: route({
    method: "get",
    path: `${base}/:id`,
    access: "operator",
    permission: "budget:administer",
    summary: "Read a budget",
    params: byId,
    ok: Budget,
  }),
  budgetSpending: route({
    method: "get",
    path: `${base}/:id/spending`,
    access: "operator",
    permission: "budget:administer",
    summary: "List who spent how much of a budget in the current period, highest first",
    params: byId,
    query: pageQuery,
    ok: pageOf(z.object({ spender: z.string(), name: DisplayName, spent: z.number() })),
  }),
  changeBudget: route({
    method: "patch",
    path: `${base}/:id`,
    access: "operator",
    permission: "budget:administer",
    changes: "budget/:id",
    summary: "Change the name, amount or warning of a budget, or enable or disable it",
    params: byId,
    body: BudgetChange,
    ok: Budget,
  }),
  deleteBudget: route({
    method: "delete",
    path: `${base}/:id`,
    access: "operator",
    permission: "budget:administer",
    changes: "budget/:id",
    summary: "Delete a budget",
    params: byId,
  }),
};

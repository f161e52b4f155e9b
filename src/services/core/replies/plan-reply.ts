import type { User } from "../../../platform/http/caller.ts";
import { type ApiError, Forbidden } from "../../../platform/http/errors.ts";
import type { RunBudget } from "../../agent-loop/contract-budget.ts";
import type { Agent } from "../agents/contract.ts";
import type { AnsweredBy } from "../../completion/contract.ts";
import type { ModelParameters } from "../../completion/contract-model-parameters.ts";
import type { RunEnding } from "../../agent-loop/contract.ts";
import type { PermittedUse } from "../permitted-use.ts";
import type { ResearchBudget } from "../research/contract-state.ts";
import { planRetrieval, type RetrievalPlan } from "../sources/plan-retrieval.ts";
import { limitsOf } from "../tools/toolsets.ts";
import { affordModel } from "../usage/afford-model.ts";
import type { Budgets } from "../usage/budgets.ts";

/** The options of a message, stored so that it can be answered again. */
export interface Options {
  /** The agent that answers; null: none. */
  agentId: string | null;
  model?: string | undefined;
  tools?: string[] | undefined;
  instructions?: string | undefined;
  /** The canvas that the user has open. */
  canvas?: { id: string; title: string } | undefined;
  approval: "never" | "destructive" | "always";
}

/**
 * How a reply is made. Stored with it, so that it can continue after a decision. The names of the
 * fields are those of the stored JSON.
 */
export interface ReplyPlan {
  agent?: { id: string; version: number } | undefined;
  model: string;
  /** Where the model is another than the one that was asked, which the budget does not pay. */
  answeredBy?: AnsweredBy;
  tools: string[];
  instructions?: string | undefined;
  temperature?: number | undefined;
  /** Those of the agent. */
  parameters?: ModelParameters;
  approval: "never" | "destructive" | "always";
  /** The options as the message had them. Absent in replies of earlier versions. */
  asked?: Options;
  /** Of the model, in tokens. */
  contextWindow: number;
  /** The model calls no tools: it gets those alone that are asked for. */
  withoutTools?: true;
  /** It reads short PDFs of the conversation as they are. */
  readsPdfs?: true;
  /** The limits of this reply. */
  budgets?: RunBudget[];
  /** The flow that answers, for a `workflow` agent. */
  flow?: { id: string };
  /** How a long run ends, whose tools have limits of their own. */
  ending?: RunEnding;
  /** Present when the reply is made from documents. */
  retrieval?: RetrievalPlan | undefined;
}

/** Of the model, for a PDF as it is to leave room for the conversation. */
const MIN_TOKENS_FOR_PDFS = 100_000;
const OPEN_CANVAS_TOOLS = ["read_canvas", "update_canvas"];

export interface PlanDeps {
  use: PermittedUse;
  budgets: Budgets;
  /** Whether documents can be searched here. */
  hasRetrieval: boolean;
  researchBudget?: ResearchBudget | undefined;
}

interface ReplyRequest {
  options: Options;
  agent?: Agent;
  documents: readonly string[];
  /** The refusal for models that have a price, where only money is used up. */
  unpaid?: ApiError | undefined;
}

/**
 * Decides how to answer: with the options of the message, else with those of its agent, as far as
 * the user's roles permit.
 * @throws Forbidden `approval_required`, TooManyRequests `budget_exceeded`, and what choosing a
 * model throws.
 */
export async function planReply(
  { use, budgets, hasRetrieval, researchBudget }: PlanDeps,
  user: User,
  { options, agent, documents, unpaid }: ReplyRequest,
): Promise<ReplyPlan> {
  const named = options.model ?? agent?.model ?? undefined;
  const asked = await use.chooseModel(user, named);
  const { chosen, answeredBy } = await affordModel(use, user, asked, unpaid);
  const { model, contextWindow, pricing, withoutTools, takes } = chosen;
  const tools = await permittedTools(use, user, options, agent);
  if (options.approval === "never" && tools.length > 0 && !(await use.mayRunUnasked(user)))
    throw approvalRequired();
  const plan: ReplyPlan = {
    model,
    tools,
    instructions: [agent?.instructions, describeCanvas(options), options.instructions]
      .filter(Boolean)
      .join("\n\n"),
    approval: agent?.approval === "always" ? "always" : options.approval,
    asked: options,
    contextWindow,
  };
  if (answeredBy) plan.answeredBy = answeredBy;
  if (withoutTools) plan.withoutTools = true;
  if (takes.pdfBytes > 0 && contextWindow >= MIN_TOKENS_FOR_PDFS) plan.readsPdfs = true;
  const runBudgets = await budgets.ofRun(agent?.id, pricing);
  const limits = limitsOf(tools, { researchBudget });
  if (limits) {
    plan.ending = limits.ending;
    runBudgets.push({ amount: limits.tokens, inputPrice: 1, outputPrice: 1 });
  }
  if (runBudgets.length > 0) plan.budgets = runBudgets;
  if (agent) plan.agent = { id: agent.id, version: agent.version };
  if (agent && agent.temperature !== null) plan.temperature = agent.temperature;
  if (agent && Object.keys(agent.parameters).length > 0) plan.parameters = agent.parameters;
  if (agent?.type === "workflow" && agent.flowId !== null) plan.flow = { id: agent.flowId };
  else if (hasRetrieval && (await use.searchesDocuments(user))) {
    const mayRead = await use.readsDocuments(user);
    plan.retrieval = planRetrieval(agent, documents, tools);
    if (plan.retrieval && mayRead) plan.retrieval.mayRead = true;
  }
  return plan;
}

/** Those of the message or its agent, and with an open canvas those that change it. */
async function permittedTools(
  use: PermittedUse,
  user: User,
  { tools, canvas }: Options,
  agent: Agent | undefined,
): Promise<string[]> {
  const permitted = await use.tools(user, tools, agent?.tools ?? []);
  const ofCanvas = canvas ? await use.tools(user, undefined, OPEN_CANVAS_TOOLS) : [];
  return [...new Set([...permitted, ...ofCanvas])];
}

function describeCanvas({ canvas }: Options): string | undefined {
  if (!canvas) return undefined;
  return (
    `The user has the canvas ${JSON.stringify(canvas.title)} open beside the conversation; its ` +
    `canvasId is ${canvas.id}. When they ask for changes of it, read it with read_canvas and ` +
    "change it with update_canvas."
  );
}

function approvalRequired(): Forbidden {
  return new Forbidden(
    "approval_required",
    "To run destructive tools without approval you need the permissions tool:approve and " +
      'tool:administer. Leave out approval "never"; ' +
      'the decision "always" on a call allows its tool from then on.',
  );
}

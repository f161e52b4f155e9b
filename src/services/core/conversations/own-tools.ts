import { z } from "zod";
import { ApiError, BadGateway } from "../../../platform/http/errors.ts";
import type { RunEvent, RunRequest } from "../../agent/contract.ts";
import { needsApproval } from "../../agent/contract-approval.ts";
import { restOf } from "../../agent/contract-budget.ts";
import type { Usage } from "../../completion/contract.ts";
import type { ToolEffect } from "../../tool-gateway/contract.ts";
import type { ConversationEvent } from "./contract.ts";

/** A tool that this service runs by itself, for the person whose conversation it is. */
export interface OwnTool {
  name: string;
  description: string;
  input: z.ZodObject;
  effect: ToolEffect;
  /** Whose it is, and what it is made of: by these a person's decision is remembered. */
  server: string;
  fingerprint: string;
  /** Throws a ZodError for arguments that do not fit, and ApiErrors. */
  run(
    input: unknown,
  ): Promise<{ content: string; isError?: boolean; events?: ConversationEvent[] }>;
}

/** The platform's own tools, which change with it alone. */
export const PLATFORM = { server: "parlance", fingerprint: "1" };

type Run = (request: RunRequest, signal: AbortSignal) => AsyncIterable<RunEvent[]>;
type Done = Extract<RunEvent, { type: "done" }>;
type Call = Extract<RunEvent, { type: "approval" }>;
type Decision = NonNullable<RunRequest["decisions"]>[number];

const MAX_ITERATIONS = 15;

/**
 * A run in which some of the permitted tools are our own. The loop waits for their results as it
 * waits for a person: they are run here, and the loop goes on, as one run of at most 15 turns.
 * Calls that wait for a person end it, those of our own tools by the same rule as those of others.
 */
export async function* runWithOwnTools(
  run: Run,
  request: RunRequest,
  tools: readonly OwnTool[],
  signal: AbortSignal,
): AsyncGenerator<(RunEvent | ConversationEvent)[]> {
  const own = new Map(
    tools.filter(({ name }) => request.tools?.includes(name)).map((tool) => [tool.name, tool]),
  );
  if (own.size === 0) return yield* run(request, signal);
  const others = (request.tools ?? []).filter((name) => !own.has(name));
  const ownTools = [...own.values()].map(({ name, description, input }) => ({
    name,
    description,
    inputSchema: z.toJSONSchema(input),
  }));
  const byPerson = new Map((request.decisions ?? []).map((one) => [one.toolCallId, one]));
  let { messages, decisions } = request;
  let iterations = 0;
  const usage: Usage = { inputTokens: 0, outputTokens: 0 };
  for (;;) {
    const budgets = request.budgets && restOf(request.budgets, usage);
    const asked = {
      ...request,
      ...(budgets && { budgets }),
      tools: others,
      ownTools,
      messages,
      decisions,
      maxIterations: MAX_ITERATIONS - iterations,
    };
    const waiting: Call[] = [];
    let done: Done | undefined;
    let forPerson = false;
    for await (const batch of run(asked, signal)) {
      const shown: RunEvent[] = [];
      for (const event of batch) {
        const tool = event.type === "approval" ? own.get(event.name) : undefined;
        if (event.type === "done") done = event;
        else if (event.type !== "approval" || !tool) shown.push(event);
        else if (byPerson.has(event.toolCallId) || !needsApproval(request, tool))
          waiting.push(event);
        else shown.push({ ...event, server: tool.server, fingerprint: tool.fingerprint });
        forPerson ||= shown.at(-1)?.type === "approval";
      }
      if (shown.length > 0) yield shown;
    }
    if (!done)
      throw new BadGateway(
        "run_cut",
        "The agent service broke off in the middle of a reply. Ask again.",
      );
    iterations += done.iterations;
    usage.inputTokens += done.usage.inputTokens;
    usage.outputTokens += done.usage.outputTokens;
    // a call that waits for a person ends the run; what is ours comes first when it goes on
    if (waiting.length === 0 || forPerson || iterations >= MAX_ITERATIONS)
      return yield [{ ...done, iterations, usage }];
    const answers = await Promise.all(
      waiting.map((call) => answer(own.get(call.name), call, byPerson.get(call.toolCallId))),
    );
    yield answers.flatMap(({ events }) => events);
    messages = [...messages, ...(done.messages ?? [])];
    decisions = answers.map(({ decision }) => decision);
  }
}

async function answer(
  tool: OwnTool | undefined,
  { toolCallId, arguments: asked }: Call,
  byPerson: Decision | undefined,
) {
  const decided = (content: string, isError: boolean, events: ConversationEvent[] = []) => ({
    decision: { toolCallId, decision: "answer" as const, content, isError },
    events,
  });
  if (byPerson?.decision === "deny")
    return decided("denied: the person did not allow this call.", true);
  try {
    const result = await tool?.run(byPerson?.arguments ?? asked);
    return decided(result?.content ?? "", result?.isError === true, result?.events);
  } catch (error) {
    if (error instanceof z.ZodError)
      return decided(`tool_arguments_invalid: ${z.prettifyError(error)}`, true);
    if (error instanceof ApiError) return decided(`${error.code}: ${error.message}`, true);
    throw error;
  }
}

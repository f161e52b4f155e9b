import { cutText } from "../../../platform/cut-text.ts";
import { createHash } from "node:crypto";
import { z } from "zod";
import { call, type Fetch, stream } from "../../../platform/http/call.ts";
import { ApiError, BadGateway, Unavailable } from "../../../platform/http/errors.ts";
import type { RunEvent } from "../../agent/contract.ts";
import { accountsContract } from "../../integrations/contract.ts";
import { type Flow, type FlowEvent, flowsContract } from "../../integrations/contract-flows.ts";
import type { OwnTool } from "../conversations/own-tools.ts";
import { toApiError } from "../../../platform/http/to-api-error.ts";

/** A flow that answers in an agent's stead. */
export interface FlowPlan {
  id: string;
  /** Replies of one conversation share the flow's memory. */
  sessionId: string;
  /** Documents that go into it. */
  files: () => Promise<readonly string[]>;
}

/** What core asks of the integrations service. */
export interface Flows {
  /** Whether a flow provider is set up. */
  areThere(signal?: AbortSignal): Promise<boolean>;
  /**
   * @throws ApiError `flow_not_found` for a flow that the user may not run, `flows_unavailable`,
   * and what the provider answered.
   */
  answer(
    plan: FlowPlan,
    userId: string,
    input: string,
    signal: AbortSignal,
  ): AsyncGenerator<RunEvent[]>;
  /** Tools for those of the names that are of flows which the user may run now. */
  toolsOf(
    names: readonly string[],
    userId: string,
    sessionId: string,
    signal: AbortSignal,
  ): Promise<OwnTool[]>;
}

const PROVIDER = "flowengine";
/** Stands for a tool server where a flow's tool is named. */
const FLOWS = "flows";
const COME_BACK_MS = 60_000;
const LOOK_UP_MS = 10_000;
/** Characters of a flow's answer that a model reads. */
const MAX_RESULT_CHARACTERS = 100_000;
/** Flows that one reply may use as tools. */
export const MAX_FLOW_TOOLS = 32;
const TOOL = /^flow_([0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12})$/;
const NO_TOKENS = { inputTokens: 0, outputTokens: 0 };

const Input = z.object({
  input: z.string().max(400_000).describe("What to give the flow, in words"),
});

/** `flow_` and the flow's id: what an agent's or a message's `tools` name. */
export function isFlowTool(name: string): boolean {
  return TOOL.test(name);
}

/** The id of the flow that a tool of this name runs. */
export function flowOfTool(name: string): string | undefined {
  return TOOL.exec(name)?.[1];
}

/** `timeoutMs`: how long the service may be silent. */
export function createFlows(integrations: Fetch, timeoutMs: number): Flows {
  /** Always as a stream: a flow that works in silence gives signs of life by it. */
  async function* run(
    flowId: string,
    ask: { userId: string; input: string; sessionId: string; files?: string[] },
    signal: AbortSignal,
  ): AsyncGenerator<Exclude<FlowEvent, { type: "error" }>[]> {
    const request = { params: { flowId }, body: { ...ask, stream: true } };
    try {
      for await (const batch of stream(integrations, flowsContract.runFlow, request, {
        signal,
        timeoutMs,
      }))
        yield batch.map((event) => {
          if (event.type === "error") throw toApiError(event);
          return event;
        });
    } catch (error) {
      throw offHere(error);
    }
  }

  return {
    async areThere(signal) {
      const { providers } = await call(
        integrations,
        accountsContract.listProviders,
        {},
        { signal, timeoutMs: LOOK_UP_MS },
      );
      return providers.includes(PROVIDER);
    },

    async *answer({ id, sessionId, files }, userId, input, signal) {
      const ask = { userId, input, sessionId, files: [...(await files())] };
      for await (const batch of run(id, ask, signal))
        yield batch.map((event): RunEvent =>
          event.type === "text_delta"
            ? event
            : {
                type: "done",
                content: event.output,
                finishReason: "stop",
                iterations: 1,
                usage: NO_TOKENS,
              },
        );
    },

    async toolsOf(names, userId, sessionId, signal) {
      const ids = names.flatMap((name) => flowOfTool(name) ?? []).slice(0, MAX_FLOW_TOOLS);
      const tools = ids.map(async (flowId): Promise<OwnTool> => {
        const look = { params: { flowId }, query: { userId } };
        const flow = await call(integrations, flowsContract.getFlow, look, {
          signal,
          timeoutMs: LOOK_UP_MS,
        });
        return {
          name: `flow_${flowId}`,
          description: cutText(
            `Runs the flow "${flow.name}" and gives its answer. ${flow.description}`.trim(),
            2_000,
          ),
          input: Input,
          // a flow says nothing of what it does
          effect: "destructive",
          server: FLOWS,
          fingerprint: fingerprintOf(flow),
          run: async (given) => ({
            content: await resultOf(
              run(flowId, { userId, sessionId, ...Input.parse(given) }, signal),
            ),
          }),
        };
      });
      // one that is not the user's, or cannot be asked for now, is not offered
      return (await Promise.allSettled(tools)).flatMap((tool) =>
        tool.status === "fulfilled" ? [tool.value] : [],
      );
    },
  };
}

/** A flow that was changed is another one: who allowed its calls is asked again. */
function fingerprintOf({ name, description, updatedAt }: Omit<Flow, "owned">): string {
  return createHash("sha256")
    .update(JSON.stringify([name, description, updatedAt]))
    .digest("hex");
}

/** What a model reads of a flow's answer. */
async function resultOf(
  events: AsyncIterable<Exclude<FlowEvent, { type: "error" }>[]>,
): Promise<string> {
  for await (const batch of events)
    for (const event of batch)
      if (event.type === "done")
        return cutText(event.output || JSON.stringify(event.outputs), MAX_RESULT_CHARACTERS);
  throw new BadGateway("flow_cut", "The flow broke off in the middle of a run. Ask again.");
}

export function flowsUnavailable(cause?: unknown): Unavailable {
  return new Unavailable(
    "flows_unavailable",
    "This agent runs a flow, and no flow provider is set up here. Choose another agent, or ask an administrator.",
    COME_BACK_MS,
    { cause },
  );
}

/** Without a provider the service has no such route. */
function offHere(error: unknown): unknown {
  return error instanceof ApiError && error.code === "not_found" ? flowsUnavailable(error) : error;
}

/** The session of a run that belongs to no conversation: nothing is remembered of it. */
export function sessionOf(conversationId: string | undefined, request: unknown): string {
  return conversationId ?? createHash("sha256").update(JSON.stringify(request)).digest("base64url");
}

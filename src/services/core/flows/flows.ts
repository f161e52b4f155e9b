import { createHash } from "node:crypto";
import { z } from "zod";
import { call, type Fetch, stream } from "../../../platform/http/call.ts";
import { ApiError, BadGateway, Unavailable } from "../../../platform/http/errors.ts";
import type { RunEvent } from "../../agent/contract.ts";
import { accountsContract } from "../../integrations/contract.ts";
import { flowsContract } from "../../integrations/contract-flows.ts";
import type { OwnTool } from "../conversations/own-tools.ts";

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
  /** @throws ApiError `flow_not_found` for a flow that the user may not run, `flows_unavailable`, and what the provider answered. */
  answer(plan: FlowPlan, userId: string, input: string, signal: AbortSignal): AsyncGenerator<RunEvent[]>;
  /** Tools for those of the names that are of flows which the user may run now. */
  toolsOf(names: readonly string[], userId: string, sessionId: string, signal: AbortSignal): Promise<OwnTool[]>;
}

const PROVIDER = "flowengine";
const COME_BACK_MS = 60_000;
const LOOK_UP_MS = 10_000;
/** Characters of a flow's answer that a model reads. */
const LONGEST_RESULT = 100_000;
const MOST_TOOLS = 32;
const TOOL = /^flow_([0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12})$/;
const NO_TOKENS = { inputTokens: 0, outputTokens: 0 };

const Input = z.object({ input: z.string().max(400_000).describe("What to give the flow, in words") });

/** `flow_` and the flow's id: what an agent's or a message's `tools` name. */
export function isFlowTool(name: string): boolean {
  return TOOL.test(name);
}

/** `timeoutMs`: how long the service may be silent. */
export function createFlows(integrations: Fetch, timeoutMs: number): Flows {
  return {
    async areThere(signal) {
      const { providers } = await call(integrations, accountsContract.listProviders, {}, { signal, timeoutMs: LOOK_UP_MS });
      return providers.includes(PROVIDER);
    },

    async *answer({ id, sessionId, files }, userId, input, signal) {
      const body = { userId, input, sessionId, files: [...(await files())], stream: true };
      try {
        for await (const batch of stream(
          integrations,
          flowsContract.runFlow,
          { params: { flowId: id }, body },
          { signal, timeoutMs },
        )) {
          const events: RunEvent[] = [];
          for (const event of batch) {
            if (event.type === "error") throw new BadGateway(event.code, event.error);
            if (event.type === "text_delta") events.push(event);
            else events.push({ type: "done", content: event.output, finishReason: "stop", iterations: 1, usage: NO_TOKENS });
          }
          yield events;
        }
      } catch (error) {
        throw offHere(error);
      }
    },

    async toolsOf(names, userId, sessionId, signal) {
      const ids = names.flatMap((name) => TOOL.exec(name)?.[1] ?? []).slice(0, MOST_TOOLS);
      const tools = ids.map((id) => toolOf(integrations, { id, userId, sessionId }, timeoutMs, signal));
      // one that is not the user's, or cannot be asked for now, is not offered
      return (await Promise.allSettled(tools)).flatMap((tool) => (tool.status === "fulfilled" ? [tool.value] : []));
    },
  };
}

async function toolOf(
  integrations: Fetch,
  { id, userId, sessionId }: { id: string; userId: string; sessionId: string },
  timeoutMs: number,
  signal: AbortSignal,
): Promise<OwnTool> {
  const params = { flowId: id };
  const flow = await call(integrations, flowsContract.getFlow, { params, query: { userId } }, { signal, timeoutMs: LOOK_UP_MS });
  return {
    name: `flow_${id}`,
    description: `Runs the flow "${flow.name}" and gives its answer. ${flow.description}`.trim().slice(0, 2_000),
    input: Input,
    async run(given) {
      const { input } = Input.parse(given);
      const body = { userId, input, sessionId };
      const result = await call(integrations, flowsContract.runFlow, { params, body }, { signal, timeoutMs });
      const content = result.output || JSON.stringify(result.outputs);
      return { content: content.slice(0, LONGEST_RESULT) };
    },
  };
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

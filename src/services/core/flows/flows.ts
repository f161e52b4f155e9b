import { createHash } from "node:crypto";
import { call, type Fetch, stream } from "../../../platform/http/call.ts";
import { ApiError, Unavailable } from "../../../platform/http/errors.ts";
import { accountsContract } from "../../integrations/contract.ts";
import {
  type Flow,
  type FlowEvent,
  flowsContract,
} from "../../integrations/contract-flows.ts";
import { toApiError } from "../../../platform/http/reported-error.ts";

const PROVIDER = "flowengine";
const RETRY_AFTER_MS = 60_000;
const LOOK_UP_TIMEOUT_MS = 10_000;

export interface FlowRequest {
  userId: string;
  input: string;
  /** Runs of one session share the flow's memory. */
  sessionId: string;
  /** Ids of documents that go into the flow. */
  files?: string[];
}

export type FlowBatch = Exclude<FlowEvent, { type: "error" }>[];

/** What core asks of the integrations service. */
export interface Flows {
  /** Whether a flow provider is set up. */
  areAvailable(signal?: AbortSignal): Promise<boolean>;
  /** @throws ApiError `flow_not_found` for a flow that the user may not run. */
  find(flowId: string, userId: string, signal: AbortSignal): Promise<Omit<Flow, "owned">>;
  /**
   * Runs a flow as a stream, whose keep-alives show that a silent flow still works.
   * @throws ApiError `flow_not_found`, `flows_unavailable`, and the provider's own.
   */
  run(flowId: string, request: FlowRequest, signal: AbortSignal): AsyncGenerator<FlowBatch>;
}

/** `timeoutMs`: how long the service may be silent. */
export function createFlows(integrations: Fetch, timeoutMs: number): Flows {
  return {
    async areAvailable(signal) {
      const options = { signal, timeoutMs: LOOK_UP_TIMEOUT_MS };
      const { providers } = await call(
        integrations,
        accountsContract.listProviders,
        {},
        options,
      );
      return providers.includes(PROVIDER);
    },

    find(flowId, userId, signal) {
      const input = { params: { flowId }, query: { userId } };
      const options = { signal, timeoutMs: LOOK_UP_TIMEOUT_MS };
      return call(integrations, flowsContract.getFlow, input, options);
    },

    async *run(flowId, request, signal) {
      const input = { params: { flowId }, body: { ...request, stream: true } };
      const options = { signal, timeoutMs };
      try {
        for await (const batch of stream(
          integrations,
          flowsContract.runFlow,
          input,
          options,
        ))
          yield batch.map(throwFailure);
      } catch (error) {
        throw explainAbsence(error);
      }
    },
  };
}

function throwFailure(event: FlowEvent): Exclude<FlowEvent, { type: "error" }> {
  if (event.type === "error") throw toApiError(event);
  return event;
}

export function flowsUnavailable(cause?: unknown): Unavailable {
  return new Unavailable(
    "flows_unavailable",
    "This agent runs a flow, and no flow provider is set up here. " +
      "Choose another agent, or ask an administrator.",
    RETRY_AFTER_MS,
    { cause },
  );
}

/** Without a provider the integrations service has no such route. */
function explainAbsence(error: unknown): unknown {
  return error instanceof ApiError && error.code === "not_found"
    ? flowsUnavailable(error)
    : error;
}

/**
 * The memory that the flows of a reply share: that of its conversation. A run without a
 * conversation has a memory that only the same request shares.
 */
export function flowSessionOf(
  conversationId: string | undefined,
  messages: unknown,
): string {
  if (conversationId !== undefined) return conversationId;
  return createHash("sha256").update(JSON.stringify(messages)).digest("base64url");
}

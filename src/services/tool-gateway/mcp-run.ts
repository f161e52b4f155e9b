import { uuidv7 } from "uuidv7";
import type { Cancellations } from "./cancel-calls.ts";
import type { ClientAnswers } from "./client-answers.ts";
import { logLevelOf, type McpEra, passOn } from "./mcp-inputs.ts";
import type { McpRequest, RequestContext } from "./mcp-request.ts";
import { capabilitiesOf, sessionIdOf } from "./mcp-session.ts";
import type { CallOptions } from "./session-requests.ts";

/** How the client of a request is reached before the answer. */
interface Reach {
  /** Asks the client something. */
  send(question: { jsonrpc: "2.0"; id: string; method: string }): Promise<void>;
  /** Ends the request without an answer. */
  close(): void;
}

/** Runs work of a request until it is cancelled. */
export type Run = <T>(
  context: RequestContext,
  work: (options: CallOptions) => Promise<T>,
) => Promise<T>;

interface Deps {
  cancellations: Cancellations;
  answers: ClientAnswers;
}

export function createRun(
  { cancellations, answers }: Deps,
  { caller, userId, signal, request }: McpRequest,
  era: McpEra,
  reach: (context: RequestContext) => Reach,
): Run {
  return async (context, work) => {
    const { id: requestId, signal: left } = context.mcpReq;
    const stop = new AbortController();
    const client = reach(context);
    const session = sessionIdOf(request);
    const unregister = cancellations.register({ caller, session, requestId }, () => {
      stop.abort();
      // a cancelled request gets no answer
      client.close();
    });
    try {
      const ends = AbortSignal.any([signal, left, stop.signal]);
      const capabilities = capabilitiesOf(session);
      return await work({
        userId,
        signal: ends,
        onNotice: (notice) => passOn(notice, context, era),
        meta: context.mcpReq._meta,
        logLevel: logLevelOf(context, era),
        questions: capabilities && {
          capabilities,
          async ask(question) {
            const id = uuidv7();
            const answer = answers.wait({ caller, session, requestId: id }, ends);
            await client.send({ jsonrpc: "2.0" as const, id, ...question });
            return answer;
          },
        },
      });
    } finally {
      unregister();
    }
  };
}

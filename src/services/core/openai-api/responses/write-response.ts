import {
  begun,
  deliver,
  type Emit,
  pushed,
  ReaderLeft,
} from "../../../../platform/batches.ts";
import { ApiError } from "../../../../platform/http/errors.ts";
import { encodeWholeEvent } from "../../../../platform/http/stream.ts";
import { endsWithin } from "../../../../platform/within.ts";
import type { ReplyEvent } from "../../../agent-loop/contract-events.ts";
import { deliverLines } from "../answer-chat.ts";
import type { SearchEvent } from "./answer-with-search.ts";
import type { ResponseView } from "./contract-view.ts";
import { ResponseWriter, type WriterOptions } from "./response-writer.ts";

type Batches = AsyncIterable<readonly (ReplyEvent | SearchEvent)[]>;

interface Options extends WriterOptions {
  /** Stores the response, before the event that says it is complete. */
  keep: (response: ResponseView) => Promise<void>;
  /** Stores one that failed, where its client does not wait for it. */
  keepFailed?: ((response: ResponseView) => Promise<void>) | undefined;
}

const HEAD_WAIT_MS = 1_000;

/** Events as OpenAI's server-sent events in wire form. */
export function toResponseEvents(
  batches: Batches,
  head: ResponseView,
  options: Options,
): AsyncIterable<string[]> {
  return pushed(async (emit) => {
    const writer = new ResponseWriter(head, options);
    try {
      const source = await withHead(batches, writer, emit);
      await deliverLines(source, (event, lines) => writer.write(event, lines), emit);
      await emit(writer.begin());
      await options.keep(writer.response);
      await emit([writer.last()]);
    } catch (error) {
      if (error instanceof ReaderLeft) throw error;
      await emit(writer.begin());
      if (!(error instanceof ApiError)) {
        await options.keepFailed?.(writer.failure(unexpected()));
        throw error;
      }
      await options.keepFailed?.(writer.failure(error));
      await emit([writer.failed(error)]);
    }
  });
}

/**
 * The head of a response names who answers, so it waits a little for the first event. Whoever waits
 * longer learns that the response is in progress.
 */
async function withHead(
  batches: Batches,
  writer: ResponseWriter,
  emit: Emit<string[]>,
): Promise<Batches> {
  const started = begun(batches);
  if (await endsWithin(HEAD_WAIT_MS, Promise.allSettled([started]))) return started;
  try {
    await emit(writer.begin());
  } catch (error) {
    // the source has a reader in any case, which ends it
    const leave = () => Promise.reject(error);
    void started.then((source) => deliver(source, leave)).catch(() => {}); // it is thrown below
    throw error;
  }
  return started;
}

/** The same reply as one object. @throws ApiError of the reply. */
export async function toResponse(
  batches: Batches,
  head: ResponseView,
  options: Options,
): Promise<ResponseView> {
  const writer = new ResponseWriter(head, options);
  for await (const events of batches) for (const event of events) writer.write(event, []);
  await options.keep(writer.response);
  return writer.response;
}

/** The last event of a stream that the server ends early. */
export function encodeFailure({ message, code }: ApiError): string {
  return encodeWholeEvent({
    type: "error",
    code,
    message,
    param: null,
    sequence_number: 0,
  });
}

function unexpected() {
  return { code: "server_error", message: "Something went wrong here. Ask again." };
}

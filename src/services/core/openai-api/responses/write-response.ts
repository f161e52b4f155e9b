import { pushed } from "../../../../platform/batches.ts";
import { ApiError } from "../../../../platform/http/errors.ts";
import { encodeWholeEvent } from "../../../../platform/http/stream.ts";
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

/** Events as OpenAI's server-sent events in wire form. */
export function toResponseEvents(
  batches: Batches,
  head: ResponseView,
  options: Options,
): AsyncIterable<string[]> {
  return pushed(async (emit) => {
    const writer = new ResponseWriter(head, options);
    const begun: string[] = [];
    writer.begin(begun);
    await emit(begun);
    try {
      await deliverLines(batches, (event, lines) => writer.write(event, lines), emit);
      await options.keep(writer.response);
      await emit([writer.last()]);
    } catch (error) {
      if (!(error instanceof ApiError)) {
        await options.keepFailed?.(writer.failure(unexpected()));
        throw error;
      }
      await options.keepFailed?.(writer.failure(error));
      await emit([writer.failed(error)]);
    }
  });
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

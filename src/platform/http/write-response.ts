import type { ServerResponse } from "node:http";
import { compressText } from "./compress-text.ts";
import { TextResponse } from "./lazy-response.ts";
import { StreamResponse } from "./stream.ts";

/**
 * Writes one of our responses to its socket without web streams, which cost more.
 * @returns false, having written nothing, for any other kind of response.
 */
export async function writeResponse(
  response: Response,
  outgoing: ServerResponse,
  request?: Request,
): Promise<boolean> {
  if (response instanceof TextResponse) {
    const body = request
      ? await compressText(response, request)
      : Buffer.from(response.whole);
    const length = ["content-length", String(body.byteLength)];
    outgoing.writeHead(response.status, [...headersOf(response), ...length]);
    outgoing.end(body);
    return true;
  }
  if (!(response instanceof StreamResponse)) return false;
  await writeStream(response, outgoing);
  return true;
}

async function writeStream(
  response: StreamResponse,
  outgoing: ServerResponse,
): Promise<void> {
  if (outgoing.destroyed) return response.cancel();
  let wake = () => {};
  outgoing.once("close", () => {
    wake();
    response.cancel();
  });
  // a broken socket reports that it is closed
  outgoing.on("error", () => {});
  outgoing.on("drain", () => wake());
  outgoing.writeHead(response.status, headersOf(response));
  // text that is ready is sent in one packet with the headers, which wait no longer than that
  const head = setImmediate(() => outgoing.flushHeaders());
  try {
    for (
      let text = await response.next();
      text !== undefined;
      text = await response.next()
    ) {
      clearImmediate(head);
      if (outgoing.destroyed) return;
      // as bytes: for a string a socket reserves three times its length; slow readers apply
      // backpressure
      if (!outgoing.write(Buffer.from(text)))
        await new Promise<void>((resolve) => (wake = resolve));
    }
    outgoing.end();
  } catch {
    // a normal end would make the partial answer look complete
    outgoing.destroy();
  } finally {
    clearImmediate(head);
  }
}

/** Names and values in turn, because a header may occur more than once. */
function headersOf({ headers }: Response): string[] {
  const pairs: string[] = [];
  headers.forEach((value, name) => pairs.push(name, value));
  return pairs;
}

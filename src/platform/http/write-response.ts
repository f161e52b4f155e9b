import type { ServerResponse } from "node:http";
import { compressText } from "./compress-text.ts";
import { TextResponse } from "./lazy-response.ts";
import { StreamResponse } from "./stream.ts";

/**
 * Writes a response of ours to its socket, without the web streams between.
 * @returns false: it is of another kind, and nothing was written.
 */
export async function writeResponse(
  response: Response,
  outgoing: ServerResponse,
  request?: Request,
): Promise<boolean> {
  if (response instanceof TextResponse) {
    const body = request ? await compressText(response, request) : Buffer.from(response.whole);
    const length = ["content-length", String(body.byteLength)];
    outgoing.writeHead(response.status, [...headersOf(response), ...length]);
    outgoing.end(body);
    return true;
  }
  if (!(response instanceof StreamResponse)) return false;
  await writeStream(response, outgoing);
  return true;
}

async function writeStream(response: StreamResponse, outgoing: ServerResponse): Promise<void> {
  if (outgoing.destroyed) return response.cancel();
  let wake = () => {};
  outgoing.once("close", () => {
    wake();
    response.cancel();
  });
  // a socket that breaks shows as closed
  outgoing.on("error", () => {});
  outgoing.on("drain", () => wake());
  outgoing.writeHead(response.status, headersOf(response));
  // what is there already leaves with the head, in one packet; nobody waits for the head longer
  // than that
  const head = setImmediate(() => outgoing.flushHeaders());
  try {
    for (let text = await response.next(); text !== undefined; text = await response.next()) {
      clearImmediate(head);
      if (outgoing.destroyed) return;
      // bytes, since for a string a socket sets three times its length aside; a reader that is slow
      // is waited for
      if (!outgoing.write(Buffer.from(text)))
        await new Promise<void>((resolve) => (wake = resolve));
    }
    outgoing.end();
  } catch {
    // it broke off: a proper end would look like a whole answer
    outgoing.destroy();
  } finally {
    clearImmediate(head);
  }
}

/** Names and values in turn: a header may come more than once. */
function headersOf({ headers }: Response): string[] {
  const pairs: string[] = [];
  headers.forEach((value, name) => pairs.push(name, value));
  return pairs;
}

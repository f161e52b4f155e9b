import type { ServerResponse } from "node:http";
import { BytesResponse, TextResponse } from "./lazy-response.ts";
import { StreamResponse } from "./stream.ts";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { chooseEncoding } from "./accept-encoding.ts";

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
  if (response instanceof BytesResponse) {
    outgoing.writeHead(response.status, headersOf(response));
    outgoing.end(response.shared);
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
  // a broken socket reports that it is closed
  outgoing.on("error", () => {});
  outgoing.writeHead(response.status, headersOf(response));
  const framing = takeFraming(outgoing);
  const pieces = new PieceWriter(response, outgoing, framing);
  outgoing.once("close", () => {
    pieces.goOn();
    response.cancel();
  });
  outgoing.on("drain", () => pieces.goOn());
  // text that is ready is sent in one packet with the headers, which wait no longer than that
  const head = setImmediate(() => outgoing.flushHeaders());
  try {
    for (;;) {
      await pieces.writeReady();
      if (outgoing.destroyed) return;
      const text = await response.next();
      if (text === undefined) break;
      pieces.write(text);
    }
    outgoing.end(framing.end);
  } catch {
    // a normal end would make the partial answer look complete
    outgoing.destroy();
  } finally {
    clearImmediate(head);
  }
}

/** Less than what fills a socket. */
const MAX_DIRECT_BYTES = 4 * 1024;

/** Writes pieces as they arrive, in the same call, as far as the client takes them. */
class PieceWriter {
  readonly #response: StreamResponse;
  readonly #outgoing: ServerResponse;
  readonly #framing: Framing;
  #isFull = false;
  #hasBegun = false;
  #askNext: (() => void) | undefined;

  constructor(response: StreamResponse, outgoing: ServerResponse, framing: Framing) {
    this.#response = response;
    this.#outgoing = outgoing;
    this.#framing = framing;
  }

  /** Resolves when the response must be asked what is next, or the socket is closed. */
  writeReady(): Promise<void> {
    return new Promise((resolve) => {
      this.#askNext = resolve;
      this.#response.onText = () => this.#writeAll();
      this.#writeAll();
    });
  }

  write(text: string): void {
    // an empty chunk would end the body
    if (text === "") return;
    const piece = this.#framing.piece(text);
    if (this.#hasBegun && this.#goesDirectly(piece)) return;
    this.#isFull = !this.#outgoing.write(piece);
    this.#hasBegun = true;
  }

  /**
   * Behind the headers, Node.js would hold each word of a reply until the end of the tick, to join
   * it with its frame. A short piece goes to a socket in which nothing waits, which is never full
   * after it; all else goes the usual way, which knows of slow readers, and joins the last piece
   * with the end.
   */
  #goesDirectly(piece: Buffer): boolean {
    const { socket } = this.#outgoing;
    if (
      this.#response.isComplete ||
      !socket ||
      socket.writableLength > 0 ||
      piece.length > MAX_DIRECT_BYTES
    )
      return false;
    socket.write(piece);
    return true;
  }

  /** The socket has room again, or is closed. */
  goOn(): void {
    this.#isFull = false;
    this.#writeAll();
  }

  /** Slow readers apply backpressure: what they do not take stays where it is. */
  #writeAll(): void {
    const { destroyed: isClosed } = this.#outgoing;
    while (this.#askNext && (isClosed || !this.#isFull)) {
      const text = isClosed ? undefined : this.#response.takeNow();
      if (text === "") return;
      if (text !== undefined) {
        this.write(text);
        continue;
      }
      this.#askNext();
      this.#askNext = undefined;
    }
  }
}

/** How a piece of a stream is sent. */
interface Framing {
  piece(text: string): Buffer;
  /** What follows the last piece. */
  end: string;
}

// as bytes: for a string a socket reserves three times its length
const CHUNKED: Framing = {
  piece: (text) => Buffer.from(`${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`),
  end: "0\r\n\r\n",
};
const UNFRAMED: Framing = { piece: (text) => Buffer.from(text), end: "" };

/**
 * Lets each piece be sent with its own frame (RFC 9112, 7.1) in one buffer. Node.js would hand the
 * length, the text and the line ends to the socket one by one, for each word of a reply.
 */
function takeFraming(outgoing: ServerResponse): Framing {
  // a client of HTTP/1.0 reads until the connection closes
  if (!outgoing.chunkedEncoding) return UNFRAMED;
  outgoing.chunkedEncoding = false;
  return CHUNKED;
}

/** Names and values in turn, because a header may occur more than once. */
function headersOf({ headers }: Response): string[] {
  const pairs: string[] = [];
  headers.forEach((value, name) => pairs.push(name, value));
  return pairs;
}

const MIN_BYTES = 1_024;
/** Compresses as well as gzip in less time. Higher qualities are meant for static files. */
const BROTLI_QUALITY = 4;

const compress = {
  br: (text: Buffer) =>
    promisify(brotliCompress)(text, {
      params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY },
    }),
  gzip: promisify(gzip),
};

/**
 * Returns the bytes of an answer, compressed if the client accepts it and the answer is long
 * enough, and sets the headers accordingly.
 */
async function compressText(response: TextResponse, request: Request): Promise<Buffer> {
  const bytes = Buffer.from(response.whole);
  const { headers } = response;
  const isJson = headers.get("content-type")?.startsWith("application/json") === true;
  if (!isJson || !response.isCompressible || bytes.byteLength < MIN_BYTES) return bytes;
  headers.append("vary", "accept-encoding");
  const encoding = chooseEncoding(request);
  if (encoding === undefined) return bytes;
  headers.set("content-encoding", encoding);
  return compress[encoding](bytes);
}

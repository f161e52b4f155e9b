import { createServer, type Server, type Socket } from "node:net";

/** What is used of PGlite. */
export interface Backend {
  /** Handles whole messages, the first of a connection alone, and gives out the answers. */
  execProtocolRawStream(
    messages: Uint8Array,
    options: { onRawData: (answer: Uint8Array) => void },
  ): Promise<void>;
  isInTransaction(): boolean;
  exec(statement: string): Promise<unknown>;
}

const TERMINATE = "X".charCodeAt(0);
/** The type of a message and its length, which counts itself. */
const HEADER_BYTES = 5;

/**
 * Listens for connections that speak PostgreSQL's protocol. They are served one after the other,
 * since the backend has one session: a further one waits until the one before has closed.
 *
 * Whatever arrived together is handled together and answered by one write: a statement is five
 * messages each way, and each write wakes the other thread.
 *
 * @param onFailure called when the backend itself failed, which is no error of a statement: it can
 *   no longer be used.
 */
export function serveProtocol(
  backend: Backend,
  onFailure: (error: unknown) => void,
): Server {
  let former = Promise.resolve();
  return createServer({ pauseOnConnect: true }, (socket) => {
    former = former.then(() => serveConnection(backend, socket)).catch(onFailure);
  });
}

/** Resolves when the connection has closed, and its transaction is no longer open. */
function serveConnection(backend: Backend, socket: Socket): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const reader = new MessageReader();
  let handled = Promise.resolve();
  const handle = async ({ messages, isLast }: Messages) => {
    socket.cork();
    for (const group of messages)
      await backend.execProtocolRawStream(group, {
        // the backend uses its memory again
        onRawData: (answer) => void socket.write(Uint8Array.from(answer)),
      });
    socket.uncork();
    if (isLast) socket.end();
  };
  socket.on("data", (chunk) => {
    const arrived = reader.read(chunk);
    handled = handled.then(() => handle(arrived));
    handled.catch(reject);
  });
  // `close` follows
  socket.on("error", () => {});
  socket.on("close", () => {
    const rollBack = () =>
      backend.isInTransaction() ? backend.exec("rollback") : undefined;
    void handled.then(rollBack).then(() => resolve(), resolve);
  });
  socket.resume();
  return promise;
}

interface Messages {
  /** Each group is handled by one call. */
  messages: readonly Uint8Array[];
  /** The client wants the connection to end after these. */
  isLast: boolean;
}

/** Finds whole messages in the chunks of a stream. */
export class MessageReader {
  #isStarted = false;
  /** What has arrived of a message that is not whole. */
  #rest: Buffer[] = [];
  #restBytes = 0;
  /** The least length of the rest with which it is worth a look. */
  #wantedBytes = HEADER_BYTES;

  read(chunk: Buffer): Messages {
    this.#rest.push(chunk);
    this.#restBytes += chunk.length;
    // a long message arrives in many chunks: they are joined once
    if (this.#restBytes < this.#wantedBytes) return { messages: [], isLast: false };
    const bytes = Buffer.concat(this.#rest);
    const messages: Uint8Array[] = [];
    let begin = 0;
    if (!this.#isStarted) {
      // the first message has no type
      const end = bytes.readInt32BE(0);
      if (end > bytes.length) return this.#keep(bytes, end, { messages, isLast: false });
      this.#isStarted = true;
      messages.push(bytes.subarray(0, end));
      begin = end;
    }
    let end = begin;
    let wanted = HEADER_BYTES;
    let isLast = false;
    while (!isLast && bytes.length - end >= HEADER_BYTES) {
      const length = 1 + bytes.readInt32BE(end + 1);
      isLast = bytes[end] === TERMINATE;
      if (isLast) break;
      if (length > bytes.length - end) {
        wanted = length;
        break;
      }
      end += length;
    }
    if (end > begin) messages.push(bytes.subarray(begin, end));
    return this.#keep(bytes.subarray(end), wanted, { messages, isLast });
  }

  #keep(rest: Buffer, wantedBytes: number, found: Messages): Messages {
    this.#rest = rest.length > 0 ? [rest] : [];
    this.#restBytes = rest.length;
    this.#wantedBytes = wantedBytes;
    return found;
  }
}

import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** Requests of one connection that wait for the answers before theirs. Browsers send none. */
const MAX_WAITING = 32;
interface WriteLimit {
  /** For a client that takes nothing of what is written. */
  idleMs: number;
  /** What is written must be taken within `idleMs` and its time at this rate. */
  bytesPerSecond: number;
}
const WRITE_LIMIT: WriteLimit = { idleMs: 20_000, bytesPerSecond: 8 * 1024 };

type Respond = (incoming: IncomingMessage, outgoing: ServerResponse) => void;

/**
 * Begins the answer to a pipelined request when the answer before it has been written, so that a
 * client that does not read costs one answer. A connection with too many requests in line is
 * closed, and so is one that takes what is written too slowly.
 */
export function oneAnswerAtATime(respond: Respond, limit = WRITE_LIMIT): Respond {
  const lines = new WeakMap<Socket, (() => void)[]>();
  const watch = watchReaders(limit);
  const begin = (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const { socket } = incoming;
    watch(outgoing, socket);
    outgoing.once("prefinish", () => limitWrite(outgoing, socket, limit));
    outgoing.once("close", () => {
      const next = lines.get(socket)?.shift();
      if (next) next();
      else lines.delete(socket);
    });
    respond(incoming, outgoing);
  };
  return (incoming, outgoing) => {
    const { socket } = incoming;
    const waiting = lines.get(socket);
    if (waiting && waiting.length >= MAX_WAITING) {
      lines.delete(socket);
      socket.destroy();
    } else if (waiting) {
      waiting.push(() => {
        if (socket.destroyed) lines.delete(socket);
        else begin(incoming, outgoing);
      });
    } else if (!socket.destroyed) {
      lines.set(socket, []);
      begin(incoming, outgoing);
    }
  };
}

const LOOK_INTERVAL_MS = 5_000;

/**
 * Closes the connections of clients for whom an answer that is still made waits too long: streams
 * and files. An answer that has nothing to write waits for nobody.
 */
function watchReaders({ idleMs, bytesPerSecond }: WriteLimit) {
  const open = new Map<
    ServerResponse,
    { socket: Socket; waitsSince: number | undefined }
  >();
  let timer: NodeJS.Timeout | undefined;
  const look = () => {
    const now = performance.now();
    for (const [outgoing, one] of open) {
      if (!outgoing.writableNeedDrain) continue;
      one.waitsSince ??= now;
      const wholeMs = idleMs + (outgoing.writableLength / bytesPerSecond) * 1_000;
      if (now - one.waitsSince > wholeMs) one.socket.destroy();
    }
  };
  return (outgoing: ServerResponse, socket: Socket) => {
    const one = { socket, waitsSince: undefined };
    open.set(outgoing, one);
    timer ??= setInterval(look, Math.min(LOOK_INTERVAL_MS, idleMs / 4)).unref();
    outgoing.on("drain", () => (one.waitsSince = undefined));
    outgoing.once("close", () => {
      open.delete(outgoing);
      if (open.size > 0) return;
      clearInterval(timer);
      timer = undefined;
    });
  };
}

/** Closes the connection if the client takes the rest of a complete answer too slowly. */
function limitWrite(
  outgoing: ServerResponse,
  socket: Socket,
  { idleMs, bytesPerSecond }: WriteLimit,
): void {
  if (socket.destroyed) return;
  const stop = () => socket.destroy();
  socket.setTimeout(idleMs, stop);
  const wholeMs = idleMs + (socket.writableLength / bytesPerSecond) * 1_000;
  const deadline = setTimeout(stop, wholeMs).unref();
  outgoing.once("close", () => clearTimeout(deadline));
  // before Node.js sets the time limit of an idle connection
  outgoing.prependOnceListener("finish", () => {
    socket.off("timeout", stop);
    socket.setTimeout(0);
  });
}

import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** Requests of one connection that wait for the answers before theirs. Browsers send none. */
const MAX_WAITING = 32;
interface WriteLimit {
  /** For a client that takes nothing of what is left of a complete answer. */
  idleMs: number;
  /** What is left must be taken within `idleMs` and its time at this rate. */
  bytesPerSecond: number;
}
const WRITE_LIMIT: WriteLimit = { idleMs: 20_000, bytesPerSecond: 8 * 1024 };

type Respond = (incoming: IncomingMessage, outgoing: ServerResponse) => void;

/**
 * Begins the answer to a pipelined request when the answer before it has been written, so that a
 * client that does not read costs one answer. A connection with too many requests in line is
 * closed.
 */
export function oneAnswerAtATime(respond: Respond, limit = WRITE_LIMIT): Respond {
  const lines = new WeakMap<Socket, (() => void)[]>();
  const begin = (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const { socket } = incoming;
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

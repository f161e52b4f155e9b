import { type Answer, type End, type MediaUsage, NO_USAGE } from "./ask-media-model.ts";

/** How an answer is passed on in pieces. */
interface Passing {
  /** Undefined at the end. */
  next(): Promise<Uint8Array | undefined>;
  /** Nobody reads it any more: the provider is left at once, and not at its next piece. */
  cancel(reason: unknown): Promise<void>;
  /** Of what was passed on until now. */
  usage(): MediaUsage;
  /** The last piece of an answer that failed after its beginning; absent: its reader fails. */
  failure?(error: unknown): Uint8Array;
}

/**
 * Passes an answer on while it arrives. Its first piece is awaited: what fails before it, another
 * model may answer.
 * @throws what keeps it from beginning.
 */
export async function passedPieces(
  { finish, toFailure, begin, isLeft }: Answer,
  passing: Passing,
): Promise<ReadableStream<Uint8Array>> {
  let isOver = false;
  const end = async (how: End, usage = passing.usage()) => {
    if (isOver) return false;
    isOver = true;
    await finish(usage, how);
    return true;
  };
  let first: Uint8Array | undefined;
  try {
    first = await passing.next();
    begin();
  } catch (error) {
    const failure = toFailure(error);
    await (isLeft() ? end("cancelled") : end("error", NO_USAGE));
    throw failure;
  }
  const next = async () => {
    const piece = first ?? (await passing.next());
    first = undefined;
    return piece;
  };
  let isEmpty = first === undefined;
  return new ReadableStream({
    async pull(controller) {
      try {
        const piece = isEmpty ? undefined : await next();
        if (piece) controller.enqueue(piece);
        else if (await end("stop")) controller.close();
      } catch (error) {
        if (!(await end("error"))) return;
        const failure = toFailure(error);
        if (!passing.failure) return controller.error(failure);
        controller.enqueue(passing.failure(failure));
        controller.close();
      }
    },
    async cancel(reason) {
      const ended = end("cancelled");
      isEmpty = true;
      await passing.cancel(reason);
      await ended;
    },
  });
}

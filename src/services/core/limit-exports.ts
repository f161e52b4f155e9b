import { TooManyRequests, Unavailable } from "../../platform/http/errors.ts";

export interface ExportLimits {
  /** Exports of one user at once, from the request to the last byte. */
  maxPerUser: number;
  /** Exports of this process at once. */
  max: number;
}

export interface LimitExports {
  /**
   * Makes a file and counts it until it is sent or its reader leaves, because its bytes stay in
   * memory until then, however slowly they are read.
   * @throws TooManyRequests `too_many_exports`; Unavailable `exports_busy`.
   */
  during(userId: string, make: () => Promise<Response>): Promise<Response>;
}

const DEFAULTS: ExportLimits = { maxPerUser: 4, max: 60 };
const RETRY_MS = 5_000;
/** The number of bytes written to a socket at once. */
const PIECE_BYTES = 64 * 1024;

export function limitExports({ maxPerUser, max }: ExportLimits = DEFAULTS): LimitExports {
  const counts = new Map<string, number>();
  let total = 0;

  function enter(userId: string): () => void {
    const count = counts.get(userId) ?? 0;
    if (count >= maxPerUser)
      throw new TooManyRequests(
        "too_many_exports",
        `You have ${count} exports at once. Wait until one has ended.`,
        RETRY_MS,
        { params: { max: count } },
      );
    if (total >= max)
      throw new Unavailable(
        "exports_busy",
        "Too many exports run at once. Try again in a moment.",
        RETRY_MS,
      );
    counts.set(userId, count + 1);
    total += 1;
    return atMostOnce(() => {
      total -= 1;
      const left = (counts.get(userId) ?? 1) - 1;
      if (left > 0) counts.set(userId, left);
      else counts.delete(userId);
    });
  }

  return {
    async during(userId, make) {
      const leave = enter(userId);
      try {
        const { body, status, headers } = await make();
        if (!body) leave();
        return new Response(body && whenRead(body, leave), { status, headers });
      } catch (error) {
        leave();
        throw error;
      }
    },
  };
}

function atMostOnce(act: () => void): () => void {
  let done = false;
  return () => {
    if (!done) act();
    done = true;
  };
}

/**
 * Streams the bytes as fast as they are read. Calls `end` before the last of them is sent, because
 * whoever has it may ask again.
 */
function whenRead(
  body: ReadableStream<Uint8Array>,
  end: () => void,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  let rest = new Uint8Array();
  const hasMore = async () => {
    while (rest.length === 0) {
      const { done, value } = await reader.read();
      if (done) return false;
      rest = new Uint8Array(value);
    }
    return true;
  };
  return new ReadableStream(
    {
      async pull(controller) {
        try {
          const isEmpty = !(await hasMore());
          const piece = rest.subarray(0, PIECE_BYTES);
          rest = rest.subarray(PIECE_BYTES);
          const isLast = isEmpty || !(await hasMore());
          if (isLast) end();
          if (!isEmpty) controller.enqueue(piece);
          if (isLast) controller.close();
        } catch (error) {
          end();
          throw error;
        }
      },
      async cancel(reason) {
        end();
        await reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}

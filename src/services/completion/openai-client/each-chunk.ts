import type { Readable } from "node:stream";

/**
 * Calls `take` with each chunk as it arrives. The body waits while `take` does. An error of `take`
 * destroys the body.
 * @throws what `take` throws, the error of the body, or an Error for a body without an end.
 */
export function eachChunk(
  body: Readable,
  take: (chunk: Buffer) => Promise<void> | void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    if (body.destroyed) return reject(body.errored ?? new Error("the body is closed"));
    let isOver = false;
    let hasEnded = false;
    let taking: Promise<void> | undefined;
    const fail = (error: unknown) => {
      isOver = true;
      reject(error);
      body.destroy();
    };
    // what came before is passed on first
    const endBy = async (cause: unknown) => {
      if (hasEnded) return;
      isOver = true;
      await taking?.catch(fail);
      reject(cause);
    };
    body.on("error", (error) => void endBy(error));
    body.once("end", () => {
      hasEnded = true;
      // the last chunk may still be taken
      void Promise.resolve(taking).then(resolve, fail);
    });
    body.once("close", () => void endBy(new Error("the body was closed before its end")));
    body.on("data", (chunk: Buffer) => {
      if (isOver) return;
      let wait: Promise<void> | void;
      try {
        wait = take(chunk);
      } catch (error) {
        return fail(error);
      }
      if (!wait) return;
      body.pause();
      taking = wait.then(() => {
        taking = undefined;
        body.resume();
      });
      taking.catch(fail);
    });
  });
}

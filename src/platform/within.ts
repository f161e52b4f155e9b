/**
 * Waits for work for a limited time. Work that takes longer goes on, and how it ends is ignored.
 * @param late makes the error that is thrown when the time is over.
 */
export async function within<Result>(
  ms: number,
  work: Promise<Result>,
  late: () => Error = () => new Error("timeout"),
): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(late()), ms);
  });
  try {
    return await Promise.race([work, over]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Waits until work ends, for a limited time, which keeps no process alive.
 * @returns whether it ended in time. @throws what it throws in time; later failures are ignored.
 */
export async function endsWithin(ms: number, work: Promise<unknown>): Promise<boolean> {
  const { promise: late, resolve } = Promise.withResolvers<false>();
  const timer = setTimeout(resolve, ms, false).unref();
  try {
    return await Promise.race([work.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}

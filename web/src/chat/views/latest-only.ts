const GATHER_MS = 300;

/**
 * Sends values one after another. Of those that come meanwhile only the last is sent.
 * @returns a function that resolves when its value, or a later one, was sent.
 */
export function latestOnly<T>(
  send: (value: T) => Promise<void>,
): (value: T) => Promise<void> {
  let next: { value: T } | undefined;
  let running: Promise<void> | undefined;
  const run = async () => {
    while (next) {
      await new Promise((resolve) => setTimeout(resolve, GATHER_MS));
      const { value } = next;
      next = undefined;
      await send(value);
    }
  };
  return (value) => {
    next = { value };
    running ??= run().finally(() => (running = undefined));
    return running;
  };
}

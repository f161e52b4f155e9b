/**
 * Takes one batch. @returns a promise where the next batch must wait for it: of a reader that is
 * slow, or of work that takes time.
 */
export type Emit<Batch> = (batch: Batch) => Promise<void> | void;

/** Emits batches in their order, and resolves after the last. */
type Run<Batch> = (emit: Emit<Batch>) => Promise<void>;

/** Thrown by `emit` when nobody takes the batches any more: the work behind them ends. */
export class ReaderLeft extends Error {
  constructor() {
    super("the reader of a stream left");
  }
}

/**
 * Batches that their source pushes through all layers in one call, where `deliver` takes them. A
 * layer costs a function call for each word of a reply; as a generator it costs several promises.
 * Whoever iterates over them gets the same batches at the reader's pace.
 *
 * `run` must wait for what `emit` returns before it emits again, and let errors of `emit` end it.
 */
export function pushed<Batch>(run: Run<Batch>): AsyncIterable<Batch> {
  return new Pushed(run);
}

/**
 * Passes on all batches, and resolves after the last. An error of `emit` ends the source.
 * @throws what the source or `emit` throws.
 */
export async function deliver<Batch>(
  batches: AsyncIterable<Batch>,
  emit: Emit<Batch>,
): Promise<void> {
  if (batches instanceof Pushed) return (batches as Pushed<Batch>).run(emit);
  for await (const batch of batches) {
    const wait = emit(batch);
    if (wait) await wait;
  }
}

/**
 * The same batches, once the first is there. It waits for the reader.
 * @throws what the source throws before.
 */
export async function begun<Batch>(
  batches: AsyncIterable<Batch>,
): Promise<AsyncIterable<Batch>> {
  const first = Promise.withResolvers<void>();
  const reader = Promise.withResolvers<Emit<Batch>>();
  let read: Emit<Batch> | undefined;
  const over = deliver(batches, (batch) => {
    if (read) return read(batch);
    first.resolve();
    return reader.promise.then((emit) => emit(batch));
  });
  over.then(first.resolve, first.reject);
  await first.promise;
  return pushed((emit) => {
    read = emit;
    reader.resolve(emit);
    return over;
  });
}

/** Waits for what was emitted before an error, then throws it. */
export async function thenThrow(
  wait: Promise<void> | void,
  error: unknown,
): Promise<never> {
  await wait;
  throw error;
}

/** Passes batches on, and remembers the reader's own failure: the source is not to blame for it. */
export class Reader<Batch> {
  readonly #emit: Emit<Batch>;
  /** What `emit` threw, or rejected with. */
  failure: { error: unknown } | undefined;

  constructor(emit: Emit<Batch>) {
    this.#emit = emit;
  }

  take(batch: Batch): Promise<void> | void {
    let wait: Promise<void> | void;
    try {
      wait = this.#emit(batch);
    } catch (error) {
      return this.#fail(error);
    }
    return wait?.catch((error: unknown) => this.#fail(error));
  }

  #fail(error: unknown): never {
    this.failure = { error };
    throw error;
  }
}

class Pushed<Batch> implements AsyncIterable<Batch> {
  readonly run: Run<Batch>;

  constructor(run: Run<Batch>) {
    this.run = run;
  }

  [Symbol.asyncIterator](): AsyncIterator<Batch, undefined> {
    return new Pulled(this.run);
  }
}

const END = { done: true, value: undefined } as const;

/** Holds the source at each batch until its reader asks for the next one. */
class Pulled<Batch> implements AsyncIterator<Batch, undefined> {
  readonly #run: Run<Batch>;
  #over: Promise<void> | undefined;
  #isOver = false;
  #failure: { error: unknown } | undefined;
  #batch: { value: Batch } | undefined;
  #taken: PromiseWithResolvers<void> | undefined;
  #hasLeft = false;
  #wake = () => {};

  constructor(run: Run<Batch>) {
    this.#run = run;
  }

  async next(): Promise<IteratorResult<Batch, undefined>> {
    if (this.#hasLeft) return END;
    this.#taken?.resolve();
    this.#taken = undefined;
    this.#over ??= this.#start();
    while (!this.#batch && !this.#isOver)
      await new Promise<void>((resolve) => (this.#wake = resolve));
    const batch = this.#batch;
    this.#batch = undefined;
    if (batch) return { done: false, value: batch.value };
    const failure = this.#failure;
    this.#failure = undefined;
    if (failure) throw failure.error;
    return END;
  }

  /** Resolves when the work behind the batches has ended. */
  async return(): Promise<typeof END> {
    this.#hasLeft = true;
    this.#taken?.reject(new ReaderLeft());
    await this.#over;
    return END;
  }

  async #start(): Promise<void> {
    try {
      await this.#run((batch) => {
        if (this.#hasLeft) throw new ReaderLeft();
        this.#batch = { value: batch };
        this.#taken = Promise.withResolvers();
        this.#wake();
        return this.#taken.promise;
      });
    } catch (error) {
      this.#failure = { error };
    } finally {
      this.#isOver = true;
      this.#wake();
    }
  }
}

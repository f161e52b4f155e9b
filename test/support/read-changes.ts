/** One server-sent event as received. */
export interface HintEvent {
  id: string;
  event: string;
  data: { id?: string | null };
}

export interface Changes extends AsyncDisposable {
  next(): Promise<HintEvent>;
  /** Returns the next event of this kind about this resource. */
  until(event: string, id: string | null): Promise<HintEvent>;
  /** Resolves when the stream has ended. */
  ended(): Promise<void>;
}

/** Reads the events of a stream one by one, as a browser's EventSource does. */
export function parseStream(response: Response): Changes {
  if (!response.ok || !response.body) throw new Error(`no stream: ${response.status}`);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  const readBlock = async (): Promise<string | undefined> => {
    while (!text.includes("\n\n")) {
      const { value, done } = await reader.read();
      if (done) return undefined;
      text += value;
    }
    const end = text.indexOf("\n\n");
    const block = text.slice(0, end);
    text = text.slice(end + 2);
    return block;
  };
  const next = async (): Promise<HintEvent> => {
    for (;;) {
      const block = await readBlock();
      if (block === undefined) throw new Error("the stream has ended");
      const field = (name: string) =>
        new RegExp(`^${name}: (.*)$`, "m").exec(block)?.[1] ?? "";
      if (field("event") === "") continue; // a comment keeps the connection open
      const data = JSON.parse(field("data")) as HintEvent["data"]; // as the contract says
      return { id: field("id"), event: field("event"), data };
    }
  };
  return {
    next,
    async until(event, id) {
      for (;;) {
        const change = await next();
        if (change.event === event && change.data.id === id) return change;
      }
    },
    async ended() {
      while ((await readBlock()) !== undefined);
    },
    async [Symbol.asyncDispose]() {
      await reader.cancel().catch(() => {});
    },
  };
}

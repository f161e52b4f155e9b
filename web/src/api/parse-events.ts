/** One server-sent event. Source: WHATWG HTML, "Parsing an event stream". */
export interface RawEvent {
  type: string;
  data: string;
  id: string | undefined;
}

const MAX_LINE_CHARACTERS = 16 * 1024 * 1024;

/** Cuts the text of a stream into events, however the network cuts it. */
export class EventParser {
  #rest = "";
  #type = "";
  #data: string[] = [];
  #id: string | undefined;

  /** @returns the events that this text completes. */
  add(text: string): RawEvent[] {
    const lines = (this.#rest + text).split(/\r\n|\n|\r(?!$)/);
    this.#rest = lines.pop() ?? "";
    if (this.#rest.length > MAX_LINE_CHARACTERS)
      throw new Error("a line of the stream is too long");
    return lines.flatMap((line) => this.#line(line) ?? []);
  }

  #line(line: string): RawEvent | undefined {
    if (line === "") return this.#dispatch();
    const colon = line.indexOf(":");
    if (colon === 0) return undefined;
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (field === "event") this.#type = value;
    if (field === "data") this.#data.push(value);
    if (field === "id" && !value.includes("\0")) this.#id = value;
    return undefined;
  }

  #dispatch(): RawEvent | undefined {
    const event = {
      type: this.#type || "message",
      data: this.#data.join("\n"),
      id: this.#id,
    };
    const isEmpty = this.#data.length === 0;
    this.#type = "";
    this.#data = [];
    return isEmpty ? undefined : event;
  }
}

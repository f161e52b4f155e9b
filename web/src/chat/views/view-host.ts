import { isRecord } from "../../api/is-record.ts";

/**
 * The app's side of what it and a view say to each other. Everything that a view sends is bounded
 * and checked: anybody may have written it. Source: MCP Apps (SEP-1865), 2026-01-26.
 */

const PROTOCOL = "2026-01-26";
const MAX_MESSAGE_CHARACTERS = 256_000;
const MAX_RUNNING = 8;
/** In a time of ten seconds; what is beyond is not heard. */
const MAX_MESSAGES = 300;
const PERIOD_MS = 10_000;
const MAX_NAME_CHARACTERS = 128;
const MAX_URL_CHARACTERS = 2_000;
const MAX_SAID_CHARACTERS = 4_000;
const METHOD_NOT_FOUND = -32_601;
const INVALID_PARAMS = -32_602;
const REFUSED = -32_000;

export interface ViewDeps {
  send: (message: object) => void;
  /** Theme, language and the like. */
  context: () => object;
  /** Calls a tool of the view's own server. */
  callTool: (name: string, values: Record<string, unknown>) => Promise<unknown>;
  /** Each asks the person, and says whether they agreed. */
  openLink: (url: string) => Promise<boolean>;
  sendMessage: (text: string) => Promise<boolean>;
  resize: (height: number) => void;
}

class Refusal extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

export class ViewHost {
  readonly #deps: ViewDeps;
  /** What the view gets once it is ready. */
  readonly #waiting: object[] = [];
  #isReady = false;
  #running = 0;
  #heard = 0;
  #since = performance.now();

  constructor(deps: ViewDeps) {
    this.#deps = deps;
  }

  /** Sends the view a notification: at once, or when it is ready. */
  notify(method: string, params: object): void {
    const message = { jsonrpc: "2.0", method, params };
    if (this.#isReady) this.#deps.send(message);
    else this.#waiting.push(message);
  }

  receive(message: unknown): void {
    if (!isRecord(message) || message["jsonrpc"] !== "2.0") return;
    if (this.#isTooMuch() || !isShort(message)) return;
    const { method, id } = message;
    const params = isRecord(message["params"]) ? message["params"] : {};
    if (typeof method !== "string") return;
    if (typeof id === "string" || typeof id === "number")
      void this.#answer(id, method, params);
    else this.#hear(method, params);
  }

  #isTooMuch(): boolean {
    const now = performance.now();
    if (now - this.#since > PERIOD_MS) {
      this.#since = now;
      this.#heard = 0;
    }
    this.#heard += 1;
    return this.#heard > MAX_MESSAGES;
  }

  #hear(method: string, { height }: Record<string, unknown>): void {
    if (method === "ui/notifications/initialized" && !this.#isReady) {
      this.#isReady = true;
      for (const message of this.#waiting.splice(0)) this.#deps.send(message);
    }
    if (method === "ui/notifications/size-changed" && typeof height === "number")
      this.#deps.resize(height);
  }

  async #answer(id: string | number, method: string, params: Record<string, unknown>) {
    this.#running += 1;
    try {
      if (this.#running > MAX_RUNNING)
        throw new Refusal(REFUSED, "Too many requests at once: wait for an answer.");
      const result = await this.#run(method, params);
      this.#deps.send({ jsonrpc: "2.0", id, result });
    } catch (error) {
      const code = error instanceof Refusal ? error.code : REFUSED;
      const message = error instanceof Error ? error.message : "It failed.";
      this.#deps.send({ jsonrpc: "2.0", id, error: { code, message } });
    } finally {
      this.#running -= 1;
    }
  }

  async #run(method: string, params: Record<string, unknown>): Promise<unknown> {
    switch (method) {
      case "ui/initialize":
        return {
          protocolVersion: PROTOCOL,
          hostInfo: { name: "Parlance", version: "1" },
          hostCapabilities: { openLinks: {}, serverTools: {}, message: { text: {} } },
          hostContext: this.#deps.context(),
        };
      case "ping":
        return {};
      case "tools/call":
        return this.#callTool(params);
      case "ui/open-link":
        return isAgreed(await this.#deps.openLink(linkIn(params)));
      case "ui/message":
        return isAgreed(await this.#deps.sendMessage(textIn(params)));
      case "ui/request-display-mode":
        return { mode: "inline" };
      default:
        throw new Refusal(METHOD_NOT_FOUND, `${method} is not offered here.`);
    }
  }

  #callTool({ name, arguments: values = {} }: Record<string, unknown>): Promise<unknown> {
    const isName = typeof name === "string" && name.length <= MAX_NAME_CHARACTERS;
    if (!isName || !isRecord(values))
      throw new Refusal(
        INVALID_PARAMS,
        "Name a tool, and give its arguments as an object.",
      );
    return this.#deps.callTool(name, values);
  }
}

function isShort(message: unknown): boolean {
  try {
    return JSON.stringify(message).length <= MAX_MESSAGE_CHARACTERS;
  } catch {
    // of what can be posted, and is no JSON
    return false;
  }
}

function isAgreed(agreed: boolean): object {
  return agreed ? {} : { isError: true };
}

function linkIn({ url }: Record<string, unknown>): string {
  const read =
    typeof url === "string" && url.length <= MAX_URL_CHARACTERS && URL.parse(url);
  if (!read || !/^https?:$/.test(read.protocol) || read.username !== "")
    throw new Refusal(INVALID_PARAMS, "Only addresses of pages (http, https) are opened.");
  return read.href;
}

/** The text of a message. */
function textIn({ role, content }: Record<string, unknown>): string {
  const parts = Array.isArray(content) ? content : [content];
  const text = parts
    .map((part) => (isRecord(part) && part["type"] === "text" ? part["text"] : undefined))
    .filter((part) => typeof part === "string")
    .join("\n")
    .trim();
  if (role !== "user" || text === "" || text.length > MAX_SAID_CHARACTERS)
    throw new Refusal(
      INVALID_PARAMS,
      `Only a text of a user, of at most ${MAX_SAID_CHARACTERS} characters, is sent.`,
    );
  return text;
}

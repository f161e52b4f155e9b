import { isRecord } from "../../api/is-record.ts";
import { ESCAPE } from "../../markdown/frame-messages.ts";
import {
  callIn,
  contextIn,
  type DisplayMode,
  isWithin,
  lineIn,
  linkIn,
  messageIn,
  modesIn,
  Refusal,
  uriIn,
} from "./view-params.ts";

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
const MAX_ID_CHARACTERS = 200;
/** How long the app waits for what a view still has to do. */
const MAX_TEARDOWN_MS = 500;
const METHOD_NOT_FOUND = -32_601;
const REFUSED = -32_000;

export interface ViewDeps {
  send: (message: object) => void;
  /** Theme, language and the like. */
  context: () => object;
  /** Calls a tool of the view's own server. */
  callTool: (name: string, values: Record<string, unknown>) => Promise<unknown>;
  /** Of the view's own server, too. */
  readResource: (uri: string) => Promise<unknown>;
  listResources: (kind: "resources" | "templates") => Promise<unknown[]>;
  /** Each asks the person, and says whether they agreed. */
  openLink: (url: string) => Promise<boolean>;
  sendMessage: (text: string) => Promise<boolean>;
  /** What the model reads next, in the place of what the view said before; empty: nothing. */
  updateContext: (text: string) => Promise<void>;
  resize: (height: number) => void;
  /** @returns the mode that it has then. */
  setDisplayMode: (mode: DisplayMode) => DisplayMode;
  log: (line: string) => void;
  /** The view is ready, and may fill the window, or not. */
  onReady: (canFill: boolean) => void;
  /** The view wants to be gone. */
  onLeave: () => void;
}

export class ViewHost {
  readonly #deps: ViewDeps;
  /** What the view gets once it is ready. */
  readonly #waiting: object[] = [];
  /** What the app has asked the view. */
  readonly #asked = new Map<string, () => void>();
  #asks = 0;
  #isReady = false;
  #running = 0;
  #heard = 0;
  #since = performance.now();
  #modes: readonly unknown[] | undefined;

  constructor(deps: ViewDeps) {
    this.#deps = deps;
  }

  /** Sends the view a notification: at once, or when it is ready. */
  notify(method: string, params: object): void {
    const message = { jsonrpc: "2.0", method, params };
    if (this.#isReady) this.#deps.send(message);
    else this.#waiting.push(message);
  }

  /** Lets the view do what it has to do before it goes; resolves soon, whatever it does. */
  async teardown(reason: string): Promise<void> {
    if (!this.#isReady) return;
    this.#asks += 1;
    const id = `parlance-${this.#asks}`;
    const answered = new Promise<void>((resolve) => {
      this.#asked.set(id, resolve);
      setTimeout(resolve, MAX_TEARDOWN_MS);
    });
    this.#deps.send({
      jsonrpc: "2.0",
      id,
      method: "ui/resource-teardown",
      params: { reason },
    });
    await answered;
    this.#asked.delete(id);
  }

  receive(message: unknown): void {
    if (!isRecord(message) || message["jsonrpc"] !== "2.0") return;
    if (this.#isTooMuch()) return;
    const { method, id } = message;
    const isAsked =
      typeof id === "number" || (typeof id === "string" && id.length <= MAX_ID_CHARACTERS);
    if (!isWithin(message, MAX_MESSAGE_CHARACTERS)) {
      const error = {
        code: REFUSED,
        message: `At most ${MAX_MESSAGE_CHARACTERS} characters.`,
      };
      if (isAsked) this.#deps.send({ jsonrpc: "2.0", id, error });
      return;
    }
    const params = isRecord(message["params"]) ? message["params"] : {};
    if (typeof method !== "string") this.#asked.get(String(id))?.();
    else if (isAsked) void this.#answer(id, method, params);
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

  #hear(method: string, params: Record<string, unknown>): void {
    switch (method) {
      case "ui/notifications/initialized":
        return this.#begin();
      case "ui/notifications/size-changed": {
        const { height } = params;
        if (Number.isFinite(height)) this.#deps.resize(Number(height));
        return;
      }
      case "ui/notifications/request-teardown":
        return this.#deps.onLeave();
      case "notifications/message":
        return this.#deps.log(lineIn(params));
      case ESCAPE:
        this.#deps.setDisplayMode("inline");
    }
  }

  #begin(): void {
    if (this.#isReady) return;
    this.#isReady = true;
    for (const message of this.#waiting.splice(0)) this.#deps.send(message);
    this.#deps.onReady(this.#modes?.includes("fullscreen") ?? true);
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
    const deps = this.#deps;
    switch (method) {
      case "ui/initialize":
        this.#modes = modesIn(params);
        return {
          protocolVersion: PROTOCOL,
          hostInfo: { name: "Parlance", version: "1" },
          hostCapabilities: {
            openLinks: {},
            serverTools: {},
            serverResources: {},
            logging: {},
            message: { text: {} },
            updateModelContext: { text: {}, structuredContent: {} },
          },
          hostContext: deps.context(),
        };
      case "ping":
      case "logging/setLevel":
        return {};
      case "tools/call": {
        const { name, values } = callIn(params);
        return deps.callTool(name, values);
      }
      case "resources/read":
        return deps.readResource(uriIn(params));
      case "resources/list":
        return { resources: await deps.listResources("resources") };
      case "resources/templates/list":
        return { resourceTemplates: await deps.listResources("templates") };
      case "ui/open-link":
        return isAgreed(await deps.openLink(linkIn(params)));
      case "ui/message":
        return isAgreed(await deps.sendMessage(messageIn(params)));
      case "ui/update-model-context":
        await deps.updateContext(contextIn(params));
        return {};
      case "ui/request-display-mode":
        return { mode: this.#changeMode(params["mode"]) };
      default:
        throw new Refusal(METHOD_NOT_FOUND, `${method} is not offered here.`);
    }
  }

  /** A view that says which modes it has is shown in no other. */
  #changeMode(wanted: unknown): DisplayMode {
    const { setDisplayMode, context } = this.#deps;
    const { displayMode = "inline" } = context() as { displayMode?: DisplayMode };
    const isMode = wanted === "inline" || wanted === "fullscreen";
    if (!isMode || this.#modes?.includes(wanted) === false) return displayMode;
    return setDisplayMode(wanted);
  }
}

function isAgreed(agreed: boolean): object {
  return agreed ? {} : { isError: true };
}

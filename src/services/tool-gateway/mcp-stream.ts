import { encodedEventStream } from "../../platform/http/stream.ts";
import { openSubscription } from "../../platform/subscription.ts";
import type { Gateway } from "./gateway.ts";
import { resourceFinder } from "./mcp-content.ts";
import type { McpRequest } from "./mcp-request.ts";
import { sessionIdOf } from "./mcp-session.ts";
import type { McpSubscriptions, SessionKey } from "./mcp-subscriptions.ts";
import type { Session } from "./session.ts";

export interface McpStreamDeps {
  gateway: Gateway;
  subscriptions: McpSubscriptions;
}

/** Servers come and go, and so do rights: what is watched is compared at this interval. */
const LOOK_MS = 30_000;
/** Sent at once, so that the client knows that the stream is open. */
const OPENED = ": open\n\n";

/**
 * What a client of the older era hears outside of its requests, until it leaves: that the tools
 * changed, and that a resource changed to which its session has subscribed. Source: Model Context
 * Protocol, 2025-11-25, listening for messages from the server.
 */
export function openMcpStream(deps: McpStreamDeps, mcp: McpRequest): Response {
  // the client opens another one
  return encodedEventStream(notifications(deps, mcp), () => "");
}

async function* notifications(
  { gateway, subscriptions }: McpStreamDeps,
  { caller, tools, offer, request, signal }: McpRequest,
): AsyncGenerator<string[]> {
  const key: SessionKey = { caller, session: sessionIdOf(request) };
  let haveToolsChanged = false;
  const updated = new Set<string>();
  let wake = () => {};
  await using changes = await openSubscription(
    async (notify) => {
      wake = notify;
      const stop = gateway.onToolsChanged(() => {
        haveToolsChanged = true;
        notify();
      });
      const subscribed = await subscriptions.listen(key, notify);
      return {
        async [Symbol.asyncDispose]() {
          stop();
          await subscribed[Symbol.asyncDispose]();
        },
      };
    },
    { everyMs: LOOK_MS, signal },
  );
  using watches = createWatches((uri) => {
    updated.add(uri);
    wake();
  });
  yield [OPENED];
  while (!signal.aborted) {
    const wanted = await subscriptions.wanted(key);
    const find = wanted.size > 0 && (await resourceFinder(offer, tools));
    watches.keep(wanted, (uri) => (find ? find(uri)?.session : undefined));
    const messages = [...updated].map((uri) =>
      encode({ method: "notifications/resources/updated", params: { uri } }),
    );
    if (haveToolsChanged)
      messages.push(encode({ method: "notifications/tools/list_changed" }));
    updated.clear();
    haveToolsChanged = false;
    if (messages.length > 0) yield messages;
    await changes.next();
  }
}

interface Watch {
  session: Session;
  stop: () => void;
}

/** The resources that one stream watches at their servers. */
function createWatches(onUpdate: (uri: string) => void) {
  const watches = new Map<string, Watch>();
  const end = (uri: string) => {
    watches.get(uri)?.stop();
    watches.delete(uri);
  };
  return {
    /** Watches these and no others, each at the server that has it now and may be read. */
    keep(wanted: ReadonlySet<string>, find: (uri: string) => Session | undefined): void {
      for (const uri of watches.keys()) if (!wanted.has(uri)) end(uri);
      for (const uri of wanted) {
        const session = find(uri);
        if (session === watches.get(uri)?.session) continue;
        end(uri);
        if (!session) continue;
        watches.set(uri, { session, stop: session.watch(uri, () => onUpdate(uri)) });
      }
    },
    [Symbol.dispose]() {
      for (const uri of watches.keys()) end(uri);
    },
  };
}

function encode(notification: { method: string; params?: object }): string {
  return `event: message\ndata: ${JSON.stringify({ jsonrpc: "2.0", ...notification })}\n\n`;
}

import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { SSEClientTransport } from "@modelcontextprotocol/sdk/client/sse.js";
import {
  StreamableHTTPClientTransport,
  StreamableHTTPError,
} from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import {
  type ClientCapabilities,
  ResourceUpdatedNotificationSchema,
  ToolListChangedNotificationSchema,
  type ServerCapabilities,
} from "@modelcontextprotocol/sdk/types.js";
import { BadGateway } from "../../platform/http/errors.ts";
import type { Outgoing } from "../../platform/outgoing/outgoing.ts";
import { addressOf } from "./commands/commands.ts";
import { commandIn } from "./commands/settings.ts";
import type { ToolServer } from "./contract.ts";
import type { Era, Listeners, Remote } from "./remote.ts";
import { SessionRemote } from "./session-remote.ts";
import type { Credential } from "./sign-in/credential.ts";
import { toolFetch } from "./tool-fetch.ts";
import { MAX_SECRETS, wrongTemplateIn } from "./user-values/header-templates.ts";
import { isRecord } from "../../platform/json/is-record.ts";
import { type Answer, askServer } from "./call-tool.ts";
import {
  isSignIn,
  isTimeout,
  otherVersion,
  UNSUPPORTED_VERSION,
} from "./explain-failure.ts";
import { VIEWS } from "./views/view-meta.ts";
import { STATELESS_VERSION, StatelessRemote } from "./stateless-remote.ts";

const CONNECT_TIMEOUT_MS = 10_000;
/** Of a program that may load much before it answers. */
const START_TIMEOUT_MS = 50_000;

export interface ConnectOptions {
  /** What the caller can be asked in the middle of a call. */
  capabilities?: ClientCapabilities;
  /** What the server was found to speak; without it, it is asked. */
  era?: Era | undefined;
  /** With whose account. */
  credential?: Credential | undefined;
}

/**
 * Opens a session at a tool server: one of 2026-07-28 if it knows that, else over streamable HTTP,
 * or over HTTP with server-sent events where the server knows only that. Source: Model Context
 * Protocol, versioning; transports: backwards compatibility.
 * @throws BadGateway `tool_server_header_template`, `tool_server_version`.
 */
export async function connect(
  server: ToolServer,
  outgoing: Outgoing,
  listeners: Listeners,
  signal: AbortSignal,
  { capabilities = {}, era, credential }: ConnectOptions = {},
): Promise<Remote> {
  const { headers = {} } = server;
  const template = wrongTemplateIn(server);
  if (template !== undefined) throw hasTemplate(template);
  const isCommand = commandIn(server.url) !== undefined;
  const stateless =
    era !== "sessions" &&
    !isCommand &&
    (await discover({ server, outgoing, listeners, signal, credential }));
  if (stateless) return stateless;
  const url = new URL(addressOf(server.url));
  const options = { fetch: toolFetch(outgoing, credential), requestInit: { headers } };
  try {
    const transport = new StreamableHTTPClientTransport(url, options);
    const timeoutMs = isCommand ? START_TIMEOUT_MS : CONNECT_TIMEOUT_MS;
    return await open(transport as Transport, listeners, signal, {
      capabilities,
      timeoutMs,
    });
  } catch (error) {
    if (!mayBeOlder(error)) throw error;
    const transport = new SSEClientTransport(url, options);
    // what the newer transport says is the better reason
    const older = { capabilities: {}, timeoutMs: CONNECT_TIMEOUT_MS };
    return open(transport, listeners, signal, older).catch(() => Promise.reject(error));
  }
}

async function open(
  transport: Transport,
  { onToolsChanged, onResourceUpdated, onError }: Listeners,
  signal: AbortSignal,
  { capabilities, timeoutMs }: { capabilities: ClientCapabilities; timeoutMs: number },
): Promise<Remote> {
  const said = { ...capabilities, extensions: VIEWS };
  const client = new Client({ name: "parlance", version: "1" }, { capabilities: said });
  client.onerror = onError;
  try {
    await client.connect(transport, { timeout: timeoutMs, signal });
  } catch (error) {
    // the failure to connect is what counts
    await client.close().catch(() => {});
    throw error;
  }
  client.setNotificationHandler(ToolListChangedNotificationSchema, onToolsChanged);
  client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) =>
    onResourceUpdated?.(params.uri),
  );
  return new SessionRemote(client);
}

/** Whether a refusal is that of a server which knows the older transport only. */
function mayBeOlder(error: unknown): boolean {
  if (!(error instanceof StreamableHTTPError)) return false;
  return [400, 404, 405, 406, 415].includes(error.code ?? 0);
}

function hasTemplate(header: string): BadGateway {
  return new BadGateway(
    "tool_server_header_template",
    `Its header ${header} holds a placeholder that nothing fills. Enter the value itself, or one of ` +
      `{{user.id}}, {{user.email}} and up to ${MAX_SECRETS} {{secret.<name>}}, which each user fills in.`,
    { params: { header } },
  );
}

const TIMEOUT_MS = 10_000;

/**
 * Asks a server whether it speaks 2026-07-28.
 * @returns undefined for one that may speak an older version: `initialize` has the better reason
 * where it speaks none.
 * @throws BadGateway `tool_server_version` for one that speaks only newer versions, McpError for
 * one that does not answer, StreamableHTTPError for one that wants other credentials.
 */
async function discover(asking: Discovering): Promise<StatelessRemote | undefined> {
  const { signal, ...options } = asking;
  let answer = await ask(asking);
  // it names the versions that it speaks, and ours may be among them
  if (refusedFor(answer).includes(STATELESS_VERSION)) answer = await ask(asking);
  signal.throwIfAborted();
  const { result } = answer ?? {};
  if (isRecord(result)) {
    const versions = textsIn(result["supportedVersions"]);
    if (versions.includes(STATELESS_VERSION)) {
      const capabilities = capabilitiesIn(result);
      const remote = new StatelessRemote({ ...options, capabilities });
      remote.listen();
      return remote;
    }
    refuseOnlyNewer(versions);
  }
  refuseOnlyNewer(refusedFor(answer));
  return undefined;
}

/** The versions that a server speaks which refused ours. */
function refusedFor({ error }: Answer = {}): string[] {
  const isOther = error?.code === UNSUPPORTED_VERSION && isRecord(error.data);
  return isOther ? textsIn((error.data as { supported?: unknown }).supported) : [];
}

interface Discovering {
  server: ToolServer;
  outgoing: Outgoing;
  listeners: Listeners;
  signal: AbortSignal;
  credential: Credential | undefined;
}

async function ask({ signal, ...options }: Discovering): Promise<Answer | undefined> {
  const remote = new StatelessRemote({ ...options, capabilities: {} });
  const { server, outgoing, credential } = options;
  const limits = { timeoutMs: TIMEOUT_MS, silenceMs: TIMEOUT_MS, progressMs: 0 };
  try {
    const asked = { method: "server/discover", params: {} };
    const connection = { remote, server, outgoing, credential };
    return await askServer({ ...connection, ...limits }, asked, signal);
  } catch (error) {
    const isClosed =
      error instanceof StreamableHTTPError && [401, 403].includes(error.code ?? 0);
    if (isClosed || isTimeout(error) || isSignIn(error)) throw error;
    return undefined;
  }
}

/** @throws BadGateway for a server that none of our versions fits. */
function refuseOnlyNewer(versions: readonly string[]): void {
  const [first] = versions;
  // versions are dates, and an older one can be agreed upon by `initialize`
  if (first !== undefined && versions.every((version) => version > STATELESS_VERSION))
    throw otherVersion(first);
}

function textsIn(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
}

function capabilitiesIn(result: Record<string, unknown>): ServerCapabilities {
  const { capabilities } = result;
  // the repair of messages left known fields alone
  return isRecord(capabilities) ? (capabilities as ServerCapabilities) : { tools: {} };
}

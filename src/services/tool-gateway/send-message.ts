import { pipeline, Readable } from "node:stream";
import { StreamableHTTPError } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { type Dispatcher, request } from "undici";
import { traceHeaders } from "../../platform/http/context.ts";
import type { Outgoing } from "../../platform/outgoing/outgoing.ts";
import { isRecord } from "../../platform/json/is-record.ts";
import { addressOf } from "./commands/commands.ts";
import type { ToolServer } from "./contract.ts";
import type { Remote } from "./remote.ts";
import type { SignInHeaders } from "./sign-in/account.ts";
import type { Credential } from "./sign-in/credential.ts";

const MAX_ERROR_BYTES = 4_096;
const ANSWER_TYPE = /^\s*(application\/json|text\/event-stream)\b/i;
const MAX_REDIRECTS = 3;
const UNPACK: Record<string, () => NodeJS.ReadWriteStream & Readable> = {
  gzip: createGunzip,
  "x-gzip": createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/** A session at a tool server. */
export interface ServerConnection {
  remote: Remote;
  server: ToolServer;
  outgoing: Outgoing;
  /** With whose account; without one, with nobody's. */
  credential?: Credential | undefined;
  signal: AbortSignal;
}

interface Message {
  method: "GET" | "POST";
  body?: string;
  /** Default: those of any message in the session. */
  headers?: Record<string, string>;
}

/** The answer to a message, unpacked. */
export interface RemoteAnswer {
  isEventStream: boolean;
  body: Readable;
}

/**
 * One HTTP request in a session. Redirects are followed on the same host only, because the headers
 * may hold keys.
 * @throws StreamableHTTPError, as the SDK does, for an answer that the protocol does not know.
 */
export async function sendMessage(
  connection: ServerConnection,
  message: Message,
): Promise<RemoteAnswer> {
  const { credential, server, remote } = connection;
  let url = addressOf(server.url);
  let attempt = 1;
  for (let redirects = 0; ;) {
    const account = (await credential?.headers()) ?? {};
    const response = await send(connection, url, message, account);
    const next = redirects < MAX_REDIRECTS ? followed(url, response) : undefined;
    if (next !== undefined) {
      redirects += 1;
      url = next;
    } else if (await mayRepeat(response, credential, account, attempt)) attempt += 1;
    else return readAnswer(response, remote.era);
    await response.body.dump();
  }
}

/** Whether a refusal was about a token that has been renewed. @throws what `refused` throws. */
async function mayRepeat(
  { statusCode, headers, body }: Dispatcher.ResponseData,
  credential: Credential | undefined,
  sent: SignInHeaders,
  attempt: number,
): Promise<boolean> {
  if (!credential || (statusCode !== 401 && statusCode !== 403)) return false;
  const challenge = headers["www-authenticate"];
  const refusal = { status: statusCode, challenge: String(challenge ?? ""), sent };
  try {
    return await credential.refused(refusal, attempt);
  } catch (error) {
    // the connection stays usable
    await body.dump();
    throw error;
  }
}

function send(
  { outgoing, server, remote, signal }: ServerConnection,
  url: string,
  { method, body, headers }: Message,
  account: SignInHeaders,
): Promise<Dispatcher.ResponseData> {
  outgoing.check(url);
  return request(url, {
    method,
    ...(body !== undefined && { body }),
    dispatcher: outgoing.dispatcher,
    signal,
    headers: {
      ...(headers ?? remote.headers()),
      ...contentHeaders(body !== undefined),
      ...traceHeaders(),
      ...account,
      ...server.headers,
    },
  });
}

/** The address of a redirect on the same host, also from http to https. */
function followed(
  from: string,
  { statusCode, headers }: Dispatcher.ResponseData,
): string | undefined {
  const location = headers["location"];
  if (![301, 302, 307, 308].includes(statusCode) || typeof location !== "string")
    return undefined;
  if (!URL.canParse(location, from)) return undefined;
  const before = new URL(from);
  const after = new URL(location, from);
  const isUpgrade =
    after.protocol === "https:" &&
    after.hostname === before.hostname &&
    before.port === "" &&
    after.port === "";
  return after.origin === before.origin || isUpgrade ? after.href : undefined;
}

async function readAnswer(
  { statusCode, headers, body }: Dispatcher.ResponseData,
  era: Remote["era"],
): Promise<RemoteAnswer> {
  const type = String(headers["content-type"] ?? "");
  const isGood = statusCode >= 200 && statusCode < 300;
  const unpacked = unpack(body, String(headers["content-encoding"] ?? "identity"));
  if (isGood && ANSWER_TYPE.test(type) && unpacked)
    return { isEventStream: /event-stream/i.test(type), body: unpacked };
  const text = await readBeginning(unpacked ?? body);
  if (era === "stateless" && isRefusal(statusCode, text))
    return { isEventStream: false, body: Readable.from([Buffer.from(text)]) };
  throw new StreamableHTTPError(
    isGood ? -1 : statusCode,
    `Error POSTing to endpoint: ${text}`,
  );
}

/** The body without its encoding; `undefined` for one that we do not know. */
function unpack(body: Readable, encoding: string): Readable | undefined {
  const name = encoding.trim().toLowerCase();
  if (name === "identity" || name === "") return body;
  const create = Object.hasOwn(UNPACK, name) ? UNPACK[name] : undefined;
  if (!create) return undefined;
  const unpacked = create();
  pipeline(body, unpacked, () => {});
  return unpacked;
}

/** Statuses whose meaning is not that of the protocol's error beside it. */
const PLAIN_STATUSES = [401, 403, 429];

/** Whether it is an error of JSON-RPC, which since 2026-07-28 has a status of its own. */
function isRefusal(status: number, text: string): boolean {
  if (status < 400 || status >= 500 || PLAIN_STATUSES.includes(status)) return false;
  try {
    const message: unknown = JSON.parse(text);
    if (!isRecord(message) || !isRecord(message["error"])) return false;
    return Number.isInteger(message["error"]["code"]);
  } catch {
    return false; // no JSON, or cut
  }
}

function contentHeaders(hasBody: boolean): Record<string, string> {
  const encoding = { "accept-encoding": "identity" };
  if (!hasBody) return { accept: "text/event-stream", ...encoding };
  const accept = "application/json, text/event-stream";
  return { "content-type": "application/json", accept, ...encoding };
}

async function readBeginning(body: Readable): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body as AsyncIterable<Uint8Array>) {
    chunks.push(chunk);
    size += chunk.byteLength;
    if (size > MAX_ERROR_BYTES) break;
  }
  return Buffer.concat(chunks).toString().slice(0, MAX_ERROR_BYTES);
}

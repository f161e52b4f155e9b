import { StreamableHTTPError } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ErrorCode, McpError } from "@modelcontextprotocol/sdk/types.js";
import {
  ApiError,
  BadGateway,
  BadRequest,
  GatewayTimeout,
  Unavailable,
} from "../../platform/http/errors.ts";
import { shortenText } from "../../platform/shorten-text.ts";

const MAX_MESSAGE_CHARACTERS = 1_000;
/** The SDK's words. */
const OTHER_VERSION = /protocol version is not supported: (.+)/;

const LOST_SESSION = /\bsession|not (?:been )?initiali[sz]ed|uninitiali[sz]ed/i;
/** Statuses that have a meaning of their own, whatever their text. */
const OTHER_REFUSALS = [401, 403, 429];
/**
 * Codes with which servers refuse a message before they act on it. Source: JSON-RPC 2.0, error
 * object; the SDKs of the Model Context Protocol.
 */
const REFUSING_CODES = [-32_000, -32_001, -32_002, -32_600];
/** The server speaks another version than when it was asked. */
export const UNSUPPORTED_VERSION = -32_022;
const LOST_SESSION_SENTENCE =
  /^(?:bad request: |invalid request: )?(?:no valid |invalid |unknown |missing |expired )?(?:mcp[- ])?session(?: id)?\b.{0,80}$|^(?:bad request: )?(?:mcp )?server (?:is )?not (?:been )?initiali[sz]ed\b/i;

/**
 * Whether the server does not know the session, so that it did not run the tool. Servers answer
 * 404 or 410, others another 4xx that says so, or an error of JSON-RPC.
 */
export function isSessionGone(error: unknown): boolean {
  if (error instanceof McpError) return isLostSession(error.code, error.message);
  if (!(error instanceof StreamableHTTPError) || error.code === undefined) return false;
  if (error.code === 404 || error.code === 410) return true;
  const mayBe =
    error.code >= 400 && error.code < 500 && !OTHER_REFUSALS.includes(error.code);
  return mayBe && LOST_SESSION.test(error.message);
}

/** Whether an error of JSON-RPC says that the session is gone. */
export function isLostSession(code: number | undefined, message: string): boolean {
  if (code === UNSUPPORTED_VERSION) return true;
  const sentence = message.replace(/^MCP error -?\d+: /, "").trim();
  return REFUSING_CODES.includes(code ?? 0) && LOST_SESSION_SENTENCE.test(sentence);
}

/** Whether only a sign-in of a user helps. */
export function isSignIn(error: unknown): boolean {
  return apiErrorIn(error)?.code.includes("sign_in") === true;
}

export function isTimeout(error: unknown): boolean {
  return error instanceof McpError && error.code === ErrorCode.RequestTimeout;
}

/** A failed call as an error for the caller; `undefined` when the connection broke. */
export function explainFailure(
  error: unknown,
  server: string,
  timeoutMs: number,
): ApiError | undefined {
  const api = apiErrorIn(error);
  if (api) return api;
  if (error instanceof StreamableHTTPError) return explainStatus(error, server);
  if (!(error instanceof McpError) || error.code === ErrorCode.ConnectionClosed)
    return undefined;
  if (isTimeout(error)) {
    return new GatewayTimeout(
      "tool_timeout",
      `The tool of "${server}" did not answer within ${timeoutMs / 1000} s. ` +
        "Try again, or ask it for less.",
      { params: { server, seconds: timeoutMs / 1000 } },
    );
  }
  if (error.code === ErrorCode.InvalidParams)
    return new BadRequest(
      "tool_arguments_invalid",
      shortenText(error.message, MAX_MESSAGE_CHARACTERS),
    );
  return new BadGateway(
    "tool_failed",
    `The tool server "${server}" answered with an error: ` +
      shortenText(error.message, MAX_MESSAGE_CHARACTERS),
  );
}

/** The error behind an HTTP status. 502 to 504 of a proxy mean that the connection broke. */
function explainStatus(
  { code }: StreamableHTTPError,
  server: string,
): ApiError | undefined {
  if (code === undefined || code === 404 || code === 410 || (code >= 502 && code <= 504))
    return undefined;
  if (code === 429)
    return new Unavailable(
      "tool_server_busy",
      `"${server}" accepts no more calls now. Try again in a moment.`,
      1_000,
      { params: { server } },
    );
  if (code === 401 || code === 403)
    return new BadGateway(
      "tool_server_refused",
      `"${server}" refuses Parlance's credentials. Ask its operator.`,
      { params: { server } },
    );
  const problem =
    code > 0 ? `answered with status ${code}` : "did not answer in the tool protocol";
  return new BadGateway(
    "tool_failed",
    `The tool server "${server}" ${problem}. Try again, or ask its operator.`,
  );
}

export function unreachable(server: string, cause?: unknown): BadGateway {
  return new BadGateway(
    "tool_server_unreachable",
    `The tool server "${server}" cannot be reached. Try again, or ask its operator.`,
    { params: { server }, cause },
  );
}

/** Why a server cannot be used, for operators, without the server's own words. */
export function explainState(error: unknown): ApiError {
  const api = apiErrorIn(error);
  if (api) return api;
  const version = error instanceof Error && OTHER_VERSION.exec(error.message)?.[1];
  if (version) return otherVersion(version);
  const status = error instanceof StreamableHTTPError ? (error.code ?? 0) : 0;
  if (status >= 300 && status < 400)
    return new BadGateway(
      "tool_server_redirects",
      `It leads elsewhere (status ${status}), such as to a page where people sign in. Enter the ` +
        "address that it leads to, or exempt it from that sign-in.",
      { params: { status } },
    );
  if (status > 0)
    return new BadGateway(
      "tool_server_status",
      `It answered with status ${status}. Check its address and the headers.`,
      { params: { status } },
    );
  if (
    error instanceof StreamableHTTPError ||
    (error instanceof McpError && error.code !== ErrorCode.RequestTimeout)
  )
    return new BadGateway(
      "tool_server_protocol",
      "It does not speak the tool protocol (MCP over HTTP). Check its address.",
    );
  return new BadGateway(
    "tool_server_silent",
    "It does not answer. Check its address, and whether it runs.",
  );
}

export function otherVersion(version: string): BadGateway {
  return new BadGateway(
    "tool_server_version",
    `It speaks version ${shortenText(version, 50)} of the tool protocol, which Parlance does not. ` +
      "Update the one or the other.",
    { params: { version: shortenText(version, 50) } },
  );
}

/** Why a session ended that was in use. It is opened again. */
export function sessionLost(): BadGateway {
  return new BadGateway(
    "tool_session_lost",
    "It lost its session. Wait while a new one is opened.",
  );
}

export function connectionBroken(): BadGateway {
  return new BadGateway(
    "tool_connection_broken",
    "The connection broke. Wait while a new one is opened.",
  );
}

function apiErrorIn(error: unknown): ApiError | undefined {
  if (error instanceof ApiError) return error;
  return error instanceof Error && error.cause instanceof ApiError
    ? error.cause
    : undefined;
}

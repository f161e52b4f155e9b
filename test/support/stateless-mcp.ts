/** A client of MCP 2026-07-28, which says with each request who it is and what it can do. */

const STATELESS_VERSION = "2026-07-28";
export const META_PREFIX = "io.modelcontextprotocol/";
/** What a client can do that follows tasks. */
export const FOLLOWS_TASKS = { extensions: { [`${META_PREFIX}tasks`]: {} } };

interface Asked {
  /** An API key. */
  key: string;
  params?: Record<string, unknown>;
  capabilities?: object;
  /** What else the request says of itself. */
  meta?: Record<string, unknown>;
  id?: string;
  signal?: AbortSignal | undefined;
}

/** @param url of the endpoint */
export function askStateless(
  url: string,
  method: string,
  { key, params = {}, capabilities = {}, meta = {}, id = "one", signal }: Asked,
): Promise<Response> {
  const name = params["name"] ?? params["taskId"];
  const _meta = {
    [`${META_PREFIX}protocolVersion`]: STATELESS_VERSION,
    [`${META_PREFIX}clientInfo`]: { name: "test", version: "1" },
    [`${META_PREFIX}clientCapabilities`]: capabilities,
    ...meta,
  };
  return fetch(url, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": STATELESS_VERSION,
      "mcp-method": method,
      ...(typeof name === "string" && { "mcp-name": name }),
      "x-api-key": key,
    },
    body: JSON.stringify({ jsonrpc: "2.0", id, method, params: { ...params, _meta } }),
    ...(signal && { signal }),
  });
}

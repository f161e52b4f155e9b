import { z } from "zod";
import { BadGateway, NotFound } from "../../../platform/http/errors.ts";
import { isDeeper } from "../../../platform/json/json-limits.ts";
import type { Gateway } from "../gateway.ts";
import { offeredTo, resourceFinder } from "../mcp-content.ts";
import { offerOfServer } from "../offer.ts";
import type { PermittedTools } from "../permitted-tools.ts";
import { RemoteError } from "../remote-error.ts";

/** The resources that a view reads: of its own server, as far as its person may read them. */

interface ViewOrigin {
  server: string;
  userId: string;
}

const TIMEOUT_MS = 20_000;
const MAX_RESOURCE_CHARACTERS = 3_000_000;
const MAX_LIST_CHARACTERS = 500_000;
const MAX_LISTED = 500;
const MAX_DEPTH = 64;
const Contents = z.object({
  contents: z.array(z.record(z.string(), z.unknown())).max(100),
});

/**
 * Reads a resource with the account of its user. Another server's is not found, even where it has
 * the same address.
 * @throws NotFound `tool_server_not_found`, `view_resource_not_found`, BadGateway
 * `view_resource_invalid`, and what `Session.ask` throws.
 */
export async function readViewResource(
  gateway: Gateway,
  tools: PermittedTools,
  { server, uri, userId }: ViewOrigin & { uri: string },
  signal: AbortSignal,
): Promise<z.output<typeof Contents>> {
  const offer = await offerOfServer(gateway, tools, server);
  const holder = (await resourceFinder(offer, tools))(uri);
  if (!holder) throw notFound(server);
  const asked = { method: "resources/read", params: { uri } };
  const limited = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
  const answer = await holder.session
    .ask(asked, { userId, signal: limited })
    .catch((error: unknown) => {
      throw error instanceof RemoteError ? invalid(server) : error;
    });
  const { data } = Contents.safeParse(answer);
  if (!data || isDeeper(data, MAX_DEPTH)) throw invalid(server);
  if (JSON.stringify(data).length > MAX_RESOURCE_CHARACTERS) throw invalid(server);
  return data;
}

/**
 * The resources of the view's server, or the templates of their addresses, as many as one list
 * holds.
 * @throws NotFound `tool_server_not_found`.
 */
export async function listViewResources(
  gateway: Gateway,
  tools: PermittedTools,
  { server, kind }: { server: string; kind: "resources" | "templates" },
): Promise<{ items: Record<string, unknown>[] }> {
  const offer = await offerOfServer(gateway, tools, server);
  const items: Record<string, unknown>[] = [];
  let left = MAX_LIST_CHARACTERS;
  for (const { item } of await offeredTo(offer, tools, kind)) {
    left -= JSON.stringify(item).length;
    if (left < 0 || items.length >= MAX_LISTED) break;
    items.push(item);
  }
  return { items };
}

function notFound(name: string): NotFound {
  return new NotFound(
    "view_resource_not_found",
    `"${name}" has no such resource that you may read. Call the tool again.`,
    { params: { name } },
  );
}

function invalid(name: string): BadGateway {
  return new BadGateway(
    "view_resource_invalid",
    `"${name}" does not answer with a resource of at most 3 MB. Ask its operator.`,
    { params: { name } },
  );
}

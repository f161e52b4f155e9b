import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import type { Offer } from "./offer.ts";
import type { PermittedTools } from "./permitted-tools.ts";
import {
  type ContentKind,
  fitsTemplate,
  type Offered,
  type Prompt,
} from "./remote-content.ts";
import type { Session } from "./session.ts";
import { viewMetaOf } from "./views/view-meta.ts";

const UI = "ui://";

/** What the servers offer whose resources and prompts the caller may read. */
export async function offeredTo<K extends ContentKind>(
  offer: Offer,
  tools: PermittedTools,
  kind: K,
) {
  const readable = await tools.servers(offer.list());
  return offer.content(kind, (name) => readable(name));
}

/**
 * Finds the server that has a resource, or a template of its address, for a caller who may read it.
 * What may be read is asked once for all addresses.
 */
export async function resourceFinder(
  offer: Offer,
  tools: PermittedTools,
): Promise<(uri: string) => { session: Session } | undefined> {
  const [resources, templates, readable] = await Promise.all([
    offeredTo(offer, tools, "resources"),
    offeredTo(offer, tools, "templates"),
    tools.servers(offer.list()),
  ]);
  return (uri) =>
    resources.find(({ item }) => item.uri === uri) ??
    templates.find(({ item }) => fitsTemplate(item.uriTemplate, uri)) ??
    (uri.startsWith(UI) ? viewOf(offer, readable, uri) : undefined);
}

/** The server of a tool that shows its results in this view, which no list has to name. */
function viewOf(offer: Offer, isReadable: (server: string) => boolean, uri: string) {
  return offer
    .entries()
    .find(({ listed, tool }) => viewMetaOf(tool).uri === uri && isReadable(listed.server));
}

/** @throws ProtocolError for a name that nobody offers. */
export function findPrompt(prompts: readonly Offered<Prompt>[], name: string) {
  const found = prompts.find(({ item }) => item.name === name);
  if (found) return { session: found.session, name: found.theirName };
  throw new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    `There is no prompt "${name}". prompts/list names those that there are.`,
  );
}

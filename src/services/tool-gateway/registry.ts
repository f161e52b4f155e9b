import type { ListedTool, ToolServer } from "./contract.ts";
import type { RemoteTool } from "./read-tools.ts";
import type { Session } from "./session.ts";
import { viewMetaOf } from "./views/view-meta.ts";
import { believedHints, type KnownEffect } from "./tool-effects.ts";

export interface Entry {
  session: Session;
  tool: RemoteTool;
  listed: ListedTool;
  /** Its name where its server is offered alone. */
  ownName: string;
}

/** The names of a tool. */
interface Names {
  /** Among the tools of all servers. */
  name: string;
  /** Among those of its own. */
  ownName: string;
}

/** Two servers have a tool of the same name. */
interface Clash {
  tool: string;
  /** The server whose tool has the name. */
  keeps: string;
  /** The server whose tool is listed under another name. */
  server: string;
  listedAs: string;
}

/**
 * All names of tools and their servers. The first configured server keeps a name, and the tool of a
 * later one is listed as `server__name`. A name can be reserved without being offered: by a tool
 * that is withheld, or by a server that has not answered yet. No other tool gets such a name.
 */
export class Registry {
  readonly entries = new Map<string, Entry>();
  readonly clashes: Clash[] = [];
  readonly #servers = new Map<string, string>();
  readonly #ownNames = new Map<string, Set<string>>();

  /** @returns the names under which the tool is listed; `undefined` for a hidden tool. */
  reserve(
    { name: server, rename = {}, hide = [] }: ToolServer,
    tool: string,
  ): Names | undefined {
    if (hide.includes(tool)) return undefined;
    const wanted = (Object.hasOwn(rename, tool) && rename[tool]) || tool;
    const holder = this.#servers.get(wanted);
    const name = holder === undefined ? wanted : `${server}__${wanted}`;
    if (holder !== undefined)
      this.clashes.push({ tool: wanted, keeps: holder, server, listedAs: name });
    if (this.#servers.has(name)) return undefined;
    this.#servers.set(name, server);
    const own = this.#ownNames.get(server) ?? new Set();
    // two of one server's own tools may have been given one name
    const ownName = own.has(wanted) ? name : wanted;
    this.#ownNames.set(server, own.add(ownName));
    return { name, ownName };
  }

  offer(
    { name, ownName }: Names,
    session: Session,
    tool: RemoteTool,
    known: KnownEffect & { fingerprint: string },
  ): void {
    const { description, inputSchema, title, outputSchema } = tool;
    const { uri: view } = viewMetaOf(tool);
    const annotations = believedHints(session.server, tool.annotations);
    const listed: ListedTool = {
      name,
      description,
      inputSchema,
      server: session.server.name,
      ...(annotations && { annotations }),
      ...(title && { title }),
      ...(outputSchema && { outputSchema }),
      ...(view && { view }),
      ...known,
    };
    this.entries.set(name, { session, tool, listed, ownName });
  }
}

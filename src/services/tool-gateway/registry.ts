import type { ListedTool, ToolServer } from "./contract.ts";
import type { RemoteTool } from "./read-tools.ts";
import type { Session } from "./session.ts";
import type { KnownEffect } from "./tool-effects.ts";

export interface Entry {
  session: Session;
  tool: RemoteTool;
  listed: ListedTool;
}

/**
 * Every name and whose it is. The first configured server keeps a bare name, a later one is listed
 * as `server__name`. A name may be taken without being offered: by a tool that is withheld, or by a
 * server that has not been heard yet; nobody else's tool answers to it.
 */
export class Registry {
  readonly entries = new Map<string, Entry>();
  /** What two servers both call one of their tools. */
  readonly clashes: { tool: string; keeps: string; server: string; listedAs: string }[] = [];
  readonly #holders = new Map<string, string>();

  /** @returns the name that the tool is listed by; `undefined` when the server hides it. */
  take({ name: server, rename = {}, hide = [] }: ToolServer, tool: string): string | undefined {
    if (hide.includes(tool)) return undefined;
    const wanted = (Object.hasOwn(rename, tool) && rename[tool]) || tool;
    const holder = this.#holders.get(wanted);
    const name = holder === undefined ? wanted : `${server}__${wanted}`;
    if (holder !== undefined)
      this.clashes.push({ tool: wanted, keeps: holder, server, listedAs: name });
    if (this.#holders.has(name)) return undefined;
    this.#holders.set(name, server);
    return name;
  }

  offer(
    name: string,
    session: Session,
    tool: RemoteTool,
    known: KnownEffect & { fingerprint: string },
  ): void {
    const { description, inputSchema, annotations, title, outputSchema } = tool;
    const listed: ListedTool = {
      name,
      description,
      inputSchema,
      server: session.server.name,
      ...(annotations && { annotations }),
      ...(title && { title }),
      ...(outputSchema && { outputSchema }),
      ...known,
    };
    this.entries.set(name, { session, tool, listed });
  }
}

import type { Database } from "../../platform/db/database.ts";
import { BadRequest, Conflict, NotFound } from "../../platform/http/errors.ts";
import { isDeeper, MAX_JSON_DEPTH } from "../../platform/json/json-limits.ts";
import type { Workers } from "../../platform/workers/workers.ts";
import type { Logger } from "../../platform/telemetry/log.ts";
import { approveTool, fingerprint, type WithheldTool } from "./approvals.ts";
import { buildToolList, isWithheld, logChanges, type ToolList } from "./build-registry.ts";
import type { ToolCallTimes } from "./measure-tool-calls.ts";
import { createArgumentCheck } from "./check-arguments.ts";
import { coalesce } from "../../platform/single-flight.ts";
import type { ListedTool, ToolEffect, ToolServer } from "./contract.ts";
import type { ToolResult } from "./contract-tools.ts";
import { type Entry, Registry } from "./registry.ts";
import { type ContentKind, RemoteContent } from "./remote-content.ts";
import type { PlainCallOptions, Session } from "./session.ts";
import type { CallOptions } from "./session-requests.ts";
import type { CreatedTask } from "./created-task.ts";
import type { InputRequired } from "./input-required.ts";
import { removeEffect, saveEffect } from "./tool-effects.ts";
import { viewMetaOf } from "./views/view-meta.ts";

interface Classification {
  /** null: the effect by the tool's own annotations. */
  effect: ToolEffect | null;
  setBy: string;
}

interface Deps {
  db: Database;
  log: Logger;
  /** Compiles input schemas. */
  workers: Pick<Workers, "run">;
  /** Announces to the other replicas that a decision about a tool changed. */
  announce: () => Promise<void>;
  open: (server: ToolServer, changed: () => void) => Session;
  calls: ToolCallTimes;
}

/** All tool servers behind one list and one call. */
export class Gateway implements AsyncDisposable {
  readonly #deps: Deps;
  readonly #sessions = new Map<string, Session>();
  readonly #content: RemoteContent;
  readonly #onToolsChanged = new Set<() => void>();
  readonly #checkArguments: ReturnType<typeof createArgumentCheck>;
  /** In the order of configuration, which decides which server keeps a name. */
  #servers: ToolServer[] = [];
  #loggedNames = "";
  #tools: ToolList = { registry: new Registry(), withheld: [] };

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#content = new RemoteContent(deps.log);
    this.#checkArguments = createArgumentCheck(deps);
  }

  #listed: Promise<void> = Promise.resolve();

  /** Makes the list of tools again, such as after a decision on another replica. */
  rebuild(): Promise<void> {
    this.#listed = this.#rebuild();
    return this.#listed;
  }

  /** Resolves when the list has the tools of every server that is ready at the call. */
  settled(): Promise<void> {
    return this.#listed;
  }

  readonly #rebuild = coalesce(async () => {
    const { db, log } = this.#deps;
    const sessions = this.#servers.flatMap(({ name }) => this.#sessions.get(name) ?? []);
    try {
      const tools = await buildToolList(db, sessions);
      logChanges(log, this.#tools, tools);
      const before = namesOf(this.#tools);
      this.#tools = tools;
      if (before !== namesOf(tools))
        for (const announce of this.#onToolsChanged) announce();
    } catch (error) {
      log.error({ err: error }, "cannot make the list of tools; keeping the last one");
    }
  });

  /** Calls back when other tools are offered. @returns a function that ends it. */
  onToolsChanged(announce: () => void): () => void {
    this.#onToolsChanged.add(announce);
    return () => this.#onToolsChanged.delete(announce);
  }

  /** What the servers of these names offer beside tools. */
  content<K extends ContentKind>(kind: K, isOf: (server: string) => boolean) {
    return this.#content.list(
      kind,
      this.sessions().filter(({ server }) => isOf(server.name)),
    );
  }

  list(): ListedTool[] {
    return this.entries().map(({ listed }) => listed);
  }

  /** Those that models may call: others are for views of their server alone. */
  listForModels(): ListedTool[] {
    const entries = this.entries().filter(({ tool }) => viewMetaOf(tool).isForModel);
    return entries.map(({ listed }) => listed);
  }

  entries(): Entry[] {
    return [...this.#tools.registry.entries.values()];
  }

  sessions(): Session[] {
    return [...this.#sessions.values()];
  }

  /** The session at the server of a name, if that is in use. */
  session(name: string): Session | undefined {
    return this.#sessions.get(name);
  }

  disabled(): ToolServer[] {
    return this.#servers.filter(({ enabled }) => !enabled);
  }

  findServer(name: string): ToolServer | undefined {
    return this.#servers.find((server) => server.name === name);
  }

  withheld(): WithheldTool[] {
    return this.#tools.withheld;
  }

  /**
   * @throws NotFound `tool_not_found`, BadRequest `tool_arguments_invalid`, ApiError
   * `tool_arguments_unchecked`, and what `Session.call` throws.
   */
  call(
    name: string,
    args: Record<string, unknown>,
    options: PlainCallOptions,
  ): Promise<ToolResult>;
  call(
    name: string,
    args: Record<string, unknown>,
    options: CallOptions,
  ): Promise<ToolResult | InputRequired | CreatedTask>;
  async call(
    name: string,
    args: Record<string, unknown>,
    options: CallOptions,
  ): Promise<ToolResult | InputRequired | CreatedTask> {
    const entry = this.#tools.registry.entries.get(name);
    if (!entry) throw toolNotFound(name);
    if (isDeeper(args))
      throw new BadRequest(
        "tool_arguments_invalid",
        `The arguments are nested deeper than ${MAX_JSON_DEPTH} levels. Send them flatter.`,
      );
    const wrong = await this.#checkArguments(entry.listed, args, options);
    if (wrong.length > 0)
      throw new BadRequest(
        "tool_arguments_invalid",
        `The arguments do not fit the tool "${name}": ${wrong[0]?.path} ` +
          `${wrong[0]?.message}. Change them.`,
        { details: wrong },
      );
    const ended = this.#deps.calls.begin(entry.session.server.name);
    try {
      const result = await entry.session.call(entry.tool.name, args, options);
      ended("isError" in result && result.isError === true ? "tool_error" : "ok");
      return result;
    } catch (error) {
      ended(options.signal.aborted ? "cancelled" : "failed");
      throw error;
    }
  }

  /**
   * Offers a withheld tool. With a `reviewed` fingerprint, only if the tool still has it.
   * @throws NotFound `tool_not_withheld`, Conflict `tool_changed_again`.
   */
  async approve(server: string, name: string, reviewed?: string): Promise<void> {
    const { db, announce } = this.#deps;
    const withheld = this.withheld().find(
      (one) => one.server === server && one.tool.name === name,
    );
    if (!withheld)
      throw new NotFound(
        "tool_not_withheld",
        `No tool "${name}" of "${server}" waits for approval. ` +
          "GET /mcp/v1/tools/withheld lists those that do.",
      );
    if (reviewed !== undefined && reviewed !== withheld.fingerprint)
      throw new Conflict(
        "tool_changed_again",
        `The tool "${name}" changed after you reviewed it. Review it again, then approve it.`,
        { params: { name } },
      );
    await approveTool(db, withheld);
    await this.rebuild();
    await announce();
  }

  /**
   * Sets the effect of a tool until the tool changes.
   * @throws NotFound `tool_not_found`, Conflict `tool_withheld`.
   */
  async classify(
    server: string,
    name: string,
    { effect, setBy }: Classification,
  ): Promise<Entry> {
    const { db, announce } = this.#deps;
    const entry = this.#findEntry(server, name);
    if (!entry) throw notClassifiable(server, name, this.withheld());
    if (effect === null) await removeEffect(db, server, name);
    else
      await saveEffect(db, {
        server,
        name,
        effect,
        setBy,
        fingerprint: fingerprint(entry.tool),
      });
    await this.rebuild();
    await announce();
    return this.#findEntry(server, name) ?? entry;
  }

  /**
   * Opens sessions of new servers and closes those of removed and changed ones. Resolves when each
   * new server was tried once.
   */
  async configure(servers: readonly ToolServer[]): Promise<void> {
    this.#servers = servers.filter(isFirstOfName);
    this.#logDuplicates(servers);
    const enabled = this.#servers.filter((server) => server.enabled);
    const wanted = new Map(enabled.map((server) => [server.name, server]));
    for (const [name, session] of this.#sessions) {
      if (JSON.stringify(wanted.get(name)) === JSON.stringify(session.server)) continue;
      this.#sessions.delete(name);
      await session[Symbol.asyncDispose]();
    }
    const added = enabled.filter(({ name }) => !this.#sessions.has(name));
    for (const server of added)
      this.#sessions.set(
        server.name,
        this.#deps.open(server, () => void this.rebuild()),
      );
    await Promise.all(added.map(({ name }) => this.#sessions.get(name)?.attempted));
    await this.rebuild();
  }

  async refresh(): Promise<void> {
    await Promise.allSettled(this.sessions().map((session) => session.refresh()));
    await this.rebuild();
  }

  /** Reads the tools of a server again, whose account for that has changed. */
  async signedIn(name: string): Promise<void> {
    await this.session(name)
      ?.refresh()
      .catch(() => {}); // why it cannot be read is its state
    await this.rebuild();
  }

  /** Keeps the sessions up: not every server announces changes, or its own end. */
  maintain(): void {
    for (const session of this.sessions()) session.maintain();
  }

  #findEntry(server: string, name: string): Entry | undefined {
    return this.entries().find(
      ({ session, tool }) => session.server.name === server && tool.name === name,
    );
  }

  #logDuplicates(servers: readonly ToolServer[]): void {
    const names = servers.map(({ name }) => name).join(", ");
    if (this.#servers.length < servers.length && names !== this.#loggedNames)
      this.#deps.log.warn(
        { servers: names },
        "two tool servers have one name; using the first",
      );
    this.#loggedNames = names;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.sessions().map((session) => session[Symbol.asyncDispose]()));
    this.#servers = [];
    await this.rebuild();
  }
}

function namesOf({ registry }: ToolList): string {
  return JSON.stringify(
    [...registry.entries.values()].map(({ listed }) => [listed.name, listed.fingerprint]),
  );
}

export function toolNotFound(name: string): NotFound {
  return new NotFound(
    "tool_not_found",
    `There is no tool "${name}". GET /mcp/v1/tools/list-tools lists the tools.`,
  );
}

function notClassifiable(server: string, name: string, withheld: readonly WithheldTool[]) {
  return isWithheld(withheld, server, name)
    ? new Conflict(
        "tool_withheld",
        `The tool "${name}" of "${server}" is new or changed. Approve it first: POST /mcp/v1/tools/approve.`,
        { params: { name, server } },
      )
    : new NotFound(
        "tool_not_found",
        `"${server}" offers no tool "${name}". GET /mcp/v1/tools lists the tools.`,
      );
}

function isFirstOfName(
  server: ToolServer,
  index: number,
  all: readonly ToolServer[],
): boolean {
  return all.findIndex(({ name }) => name === server.name) === index;
}

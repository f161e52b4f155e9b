import { z } from "zod";
import type { Logger } from "../../platform/telemetry/log.ts";
import { isDeeper } from "../../platform/json/json-limits.ts";
import { singleFlight } from "../../platform/single-flight.ts";
import { type Cursor, listPages, NextCursor } from "./list-pages.ts";
import { RemoteError } from "./remote-error.ts";
import type { Session } from "./session.ts";

/**
 * What tool servers offer beside their tools: resources, templates of their addresses, and prompts.
 * Lists are read when somebody asks, and kept for a short time.
 */

const named = { name: z.string().max(512), title: z.string().optional().catch(undefined) };
/** Looser than the protocol: one wrong entry costs that entry. */
const Resource = z.looseObject({ ...named, uri: z.string().max(10_000) });
const Template = z.looseObject({ ...named, uriTemplate: z.string().max(10_000) });
const Prompt = z.looseObject(named);
export type Resource = z.output<typeof Resource>;
export type Template = z.output<typeof Template>;
export type Prompt = z.output<typeof Prompt>;

const KINDS = {
  resources: { method: "resources/list", field: "resources", schema: Resource },
  templates: {
    method: "resources/templates/list",
    field: "resourceTemplates",
    schema: Template,
  },
  prompts: { method: "prompts/list", field: "prompts", schema: Prompt },
} as const;
export type ContentKind = keyof typeof KINDS;
type Kind = ContentKind;
type Item<K extends Kind> = z.output<(typeof KINDS)[K]["schema"]>;

/** An entry of a server's list. */
export interface Offered<T> {
  session: Session;
  item: T;
  /** The name that its server knows it by. */
  theirName: string;
}

const KEPT_MS = 30_000;
const MAX_PAGES = 20;
const MAX_ITEMS = 1_000;
const MAX_LIST_CHARACTERS = 4 * 1024 * 1024;
const MAX_ITEM_DEPTH = 64;

/**
 * The lists of all sessions. Names of prompts are distinguished like those of tools; addresses
 * belong to the first server that has them.
 */
export class RemoteContent {
  readonly #log: Logger;
  /** They go with their sessions. */
  readonly #kept = new WeakMap<Session, Partial<Record<Kind, Kept>>>();

  constructor(log: Logger) {
    this.#log = log;
  }

  /** The entries of the servers that have such a list; a server that fails has none. */
  async list<K extends Kind>(
    kind: K,
    sessions: readonly Session[],
  ): Promise<Offered<Item<K>>[]> {
    const lists = await Promise.all(
      sessions.map(async (session) => {
        const items = (await this.#listOf(kind, session)) as Item<K>[]; // by its schema
        return items.map((item) => ({ session, item, theirName: item.name }));
      }),
    );
    const seen = new Set<string>();
    return lists.flat().flatMap((offered) => {
      const one = kind === "prompts" ? withOwnName(offered, seen) : offered;
      const key = keyOf(one.item);
      if (seen.has(key)) return [];
      seen.add(key);
      return [one];
    });
  }

  async #listOf(kind: Kind, session: Session): Promise<unknown[]> {
    const capability = kind === "prompts" ? "prompts" : "resources";
    if (session.capabilities?.[capability] === undefined) return [];
    const lists = this.#kept.get(session) ?? {};
    this.#kept.set(session, lists);
    const kept = (lists[kind] ??= createKept(() => this.#read(kind, session)));
    return kept();
  }

  async #read(kind: Kind, session: Session): Promise<unknown[]> {
    const { method, field, schema } = KINDS[kind];
    const items: unknown[] = [];
    const call = { userId: undefined, signal: AbortSignal.timeout(KEPT_MS) };
    const read = async (params: { cursor?: Cursor }) =>
      Page.parse(await session.ask({ method, params }, call));
    const pages = { maxPages: MAX_PAGES, server: session.server.name, log: this.#log };
    let left = MAX_LIST_CHARACTERS;
    try {
      for await (const page of listPages(read, pages))
        for (const entry of page[field] ?? []) {
          const parsed = schema.safeParse(entry);
          if (!parsed.success || isDeeper(parsed.data, MAX_ITEM_DEPTH)) continue;
          left -= JSON.stringify(parsed.data).length;
          if (left < 0 || items.length >= MAX_ITEMS) return items;
          items.push(parsed.data);
        }
    } catch (error) {
      // many servers have no templates, and say so by an error
      const isPlain = error instanceof RemoteError;
      if (!isPlain)
        this.#log.warn({ err: error, server: session.server.name, method }, UNREAD);
    }
    return items;
  }
}

/** `server__name` where another server has a prompt of the name. */
function withOwnName<T extends { name: string }>(
  offered: Offered<T>,
  taken: ReadonlySet<string>,
): Offered<T> {
  const { item, session } = offered;
  if (!taken.has(item.name)) return offered;
  return { ...offered, item: { ...item, name: `${session.server.name}__${item.name}` } };
}

function keyOf(item: Resource | Template | Prompt): string {
  if ("uri" in item) return String(item.uri);
  return "uriTemplate" in item ? String(item.uriTemplate) : item.name;
}

const UNREAD = "cannot read what a tool server offers; leaving it out";

const List = z.array(z.unknown()).nullish();
const Page = z.object({
  resources: List,
  resourceTemplates: List,
  prompts: List,
  nextCursor: NextCursor,
});

type Kept = () => Promise<unknown[]>;

/** Reads again when the last list is older than `KEPT_MS`. */
function createKept(read: () => Promise<unknown[]>): Kept {
  let items: unknown[] | undefined;
  let readAt = 0;
  const renew = singleFlight(async () => {
    items = await read();
    readAt = performance.now();
    return items;
  });
  return async () => (items && performance.now() - readAt < KEPT_MS ? items : renew());
}

/**
 * Whether a template can make an address. Source: RFC 6570: what stands outside of braces is
 * literal.
 */
export function fitsTemplate(template: string, uri: string): boolean {
  let at = 0;
  const literals = template.split(/\{[^{}]{0,1000}\}/);
  for (const [index, literal] of literals.entries()) {
    const isLast = index === literals.length - 1;
    if (index === 0 && !uri.startsWith(literal)) return false;
    if (isLast && index > 0)
      return uri.length - literal.length >= at && uri.endsWith(literal);
    const found = uri.indexOf(literal, at);
    if (found < 0) return false;
    at = found + literal.length;
  }
  return at === uri.length;
}

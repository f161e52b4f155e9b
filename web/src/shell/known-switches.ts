import { keepInBrowser } from "../api/keep-in-browser.ts";

/** What the composer offered to a user, so that the next page has it before the server answers. */
export interface KnownSwitches {
  toolsets: readonly Ability[];
  servers: readonly ToolsOfServer[];
}

/** A toolset that can be switched on. */
export interface Ability {
  name: string;
  title: string;
  /** It reads pages, but has nothing to search them with. */
  cannotSearch: boolean;
}

/** Those tools of a server that the user may use. */
export interface ToolsOfServer {
  name: string;
  tools: string[];
  titles: string[];
}

const KEY = "parlance.switches";

/** @returns what `keepSwitches` kept of this user in this browser. */
export function knownSwitches(userId: string | undefined): KnownSwitches | undefined {
  const stored = localStorage.getItem(KEY);
  if (stored === null || userId === undefined) return undefined;
  // written by `keepSwitches`
  const kept = JSON.parse(stored) as KnownSwitches & { userId: string };
  return kept.userId === userId ? kept : undefined;
}

export function keepSwitches(userId: string, { toolsets, servers }: KnownSwitches): void {
  keepInBrowser(KEY, JSON.stringify({ userId, toolsets, servers }));
}

export function forgetSwitches(): void {
  keepInBrowser(KEY, undefined);
}

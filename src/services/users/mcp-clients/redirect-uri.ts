import { isLoopback } from "../../../platform/http/client-address.ts";

/**
 * Schemes of known programs that are one word. All others have a dot, as a domain that is their
 * maker's, turned round. Source: RFC 8252, section 7.1. docs/tools.md names them, too.
 */
const PROGRAM_SCHEMES = new Set([
  "antigravity:",
  "claude:",
  "cline:",
  "codex:",
  "cursor:",
  "goose:",
  "jetbrains:",
  "kiro:",
  "lmstudio:",
  "raycast:",
  "trae:",
  "vscode-insiders:",
  "vscode:",
  "vscodium:",
  "warp:",
  "windsurf:",
  "zed:",
]);

/**
 * Whether a client may be sent to an address: one of https, of a program of the user's machine, or
 * of the program that the system opens for its scheme. Source: RFC 8252, section 7.
 */
export function isRedirectUri(text: string): boolean {
  const url = URL.parse(text);
  if (!url || url.hash !== "" || text.includes("#") || url.username || url.password)
    return false;
  if (url.protocol === "https:") return true;
  if (url.protocol === "http:") return isLoopback(url.hostname);
  return url.protocol.includes(".") || PROGRAM_SCHEMES.has(url.protocol);
}

/** Whether a program of the user's machine takes the answer. */
export function isLocal({ protocol, hostname }: URL): boolean {
  return protocol === "http:" && isLoopback(hostname);
}

/** Where the browser goes, for people: the host, or the scheme of a program. */
export function hostOf(redirectUri: string): string {
  const { host, protocol } = new URL(redirectUri);
  return host || protocol.slice(0, -1);
}

/** Whether an address is one of those registered. The port of this machine is free: RFC 8252. */
export function isRegistered(registered: readonly string[], asked: string): boolean {
  if (!isRedirectUri(asked)) return false;
  if (registered.includes(asked)) return true;
  const wanted = new URL(asked);
  return (
    isLocal(wanted) &&
    registered.filter(isRedirectUri).some((one) => {
      const url = new URL(one);
      if (!isLocal(url)) return false;
      url.port = wanted.port;
      return url.href === wanted.href;
    })
  );
}

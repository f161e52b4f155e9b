/** No server is left alone for longer because it asked to be. */
const MAX_MS = 24 * 60 * 60 * 1000;

/**
 * How long a server asks to be left alone: in seconds, or until a date (RFC 9110, 10.2.3).
 * @returns ms from 0 to a day; undefined where it asks nothing that can be understood.
 */
export function readRetryAfter(header: string | null | undefined): number | undefined {
  if (!header?.trim()) return undefined;
  const seconds = Number(header);
  const ms = Number.isNaN(seconds) ? Date.parse(header) - Date.now() : seconds * 1000;
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, 0), MAX_MS);
}

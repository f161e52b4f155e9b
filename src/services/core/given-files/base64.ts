const BASE64 = /^[A-Za-z0-9+/]+$/;

/**
 * Reads bytes in base64, in either alphabet, in lines, with or without padding; also a data: URL.
 * @returns them in base64 as it is usual, or undefined where there are none.
 */
export function readBase64(given: string): string | undefined {
  const start = /^\s*data:[^,]{0,300},/i.exec(given.slice(0, 400))?.[0].length ?? 0;
  return usualBase64(given.slice(start));
}

/** Without a data: URL around it. */
export function usualBase64(given: string): string | undefined {
  const data = given
    .replace(/\s/g, "")
    .replaceAll("-", "+")
    .replaceAll("_", "/")
    .replace(/={1,2}$/, "");
  if (!BASE64.test(data) || data.length % 4 === 1) return undefined;
  return data.padEnd(Math.ceil(data.length / 4) * 4, "=");
}

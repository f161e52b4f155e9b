export function bearer(key: string | undefined): Record<string, string> {
  return key ? { authorization: `Bearer ${key}` } : {};
}

export function withoutTrailingSlash(url: string): string {
  return url.replace(/(?<!\/)\/+$/, "");
}

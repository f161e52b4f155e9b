const SCHEMES = ["http:", "https:", "mailto:"];

/** The address of a link, if following it runs no script. */
export function safeAddress(href: string): string | undefined {
  if (!URL.canParse(href)) return undefined;
  const url = new URL(href);
  return SCHEMES.includes(url.protocol) ? url.href : undefined;
}

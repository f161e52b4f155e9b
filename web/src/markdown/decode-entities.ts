const NAMED: Record<string, string> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: "\u00A0",
  copy: "©",
  reg: "®",
  trade: "™",
  hellip: "…",
  mdash: "—",
  ndash: "–",
  lsquo: "‘",
  rsquo: "’",
  ldquo: "“",
  rdquo: "”",
  laquo: "«",
  raquo: "»",
  bull: "•",
  middot: "·",
  deg: "°",
  plusmn: "±",
  times: "×",
  divide: "÷",
  frac12: "½",
  sect: "§",
  para: "¶",
  euro: "€",
  pound: "£",
  yen: "¥",
  cent: "¢",
  larr: "←",
  uarr: "↑",
  rarr: "→",
  darr: "↓",
  harr: "↔",
  rArr: "⇒",
  hArr: "⇔",
  le: "≤",
  ge: "≥",
  ne: "≠",
  asymp: "≈",
  infin: "∞",
  auml: "ä",
  ouml: "ö",
  uuml: "ü",
  Auml: "Ä",
  Ouml: "Ö",
  Uuml: "Ü",
  szlig: "ß",
  shy: "\u00AD",
  ensp: "\u2002",
  emsp: "\u2003",
  thinsp: "\u2009",
};
const REPLACEMENT = "\uFFFD";
const MAX_CODE_POINT = 0x10_ff_ff;

/**
 * Character references of a Markdown text as characters. The browser's own decoder needs
 * `innerHTML`, which Trusted Types forbid. A name that is not here stays as it is.
 */
export function decodeEntities(text: string): string {
  if (!text.includes("&")) return text;
  return text.replace(
    /&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|(\w{2,8}));/g,
    (whole, dec, hex, name) => {
      if (name) return NAMED[name] ?? whole;
      return toCharacter(dec ? Number(dec) : Number.parseInt(hex, 16));
    },
  );
}

function toCharacter(code: number): string {
  const isSurrogate = code >= 0xd8_00 && code <= 0xdf_ff;
  if (code === 0 || code > MAX_CODE_POINT || isSurrogate) return REPLACEMENT;
  return String.fromCodePoint(code);
}

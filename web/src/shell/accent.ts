type Rgb = readonly [number, number, number];
type Theme = "light" | "dark";

const PAGE = { light: [0xfb, 0xfa, 0xf7], dark: [0x17, 0x16, 0x14] } as const;
/** Of the grounds where an accent stands, the one that it differs from least. */
const GROUND = { light: [0xf1, 0xee, 0xe7], dark: [0x28, 0x26, 0x22] } as const;
const INK = { light: [0x1f, 0x1d, 0x18], dark: [0xec, 0xe8, 0xdf] } as const;
const TOWARDS = { light: [0, 0, 0], dark: [255, 255, 255] } as const;
/** WCAG 2.2 asks for 4.5; the rest is for rounding and for what colours are mixed with. */
const MIN_CONTRAST = 4.7;
const STEP = 0.05;

/** What the accent of an installation decides, as the theme names it. */
export const ACCENT_PARTS = [
  "accent",
  "accent-strong",
  "accent-soft",
  "accent-line",
  "on-accent",
] as const;
type Accents = Record<(typeof ACCENT_PARTS)[number], string>;

/**
 * An organisation's colour as it is readable on every ground: darker on a light one, lighter on a
 * dark one, as far as needed. With it the grounds and edges that are made of it.
 */
export function accentsOn(theme: Theme, hex: string): Accents {
  const colour = parse(hex);
  for (let share = 0; share < 1; share += STEP) {
    const accents = derive(theme, mix(colour, TOWARDS[theme], share));
    if (isReadable(theme, accents)) return format(accents);
  }
  return format(derive(theme, INK[theme]));
}

function derive(theme: Theme, accent: Rgb): Record<keyof Accents, Rgb> {
  const isLight = theme === "light";
  return {
    accent,
    "accent-strong": mix(accent, TOWARDS[theme], 0.2),
    "accent-soft": mix(PAGE[theme], accent, isLight ? 0.12 : 0.18),
    "accent-line": mix(PAGE[theme], accent, 0.38),
    "on-accent": isLight ? [255, 255, 255] : mix(accent, [0, 0, 0], 0.82),
  };
}

function isReadable(theme: Theme, accents: Record<keyof Accents, Rgb>): boolean {
  const { accent } = accents;
  const beside = [GROUND[theme], accents["accent-soft"], accents["on-accent"]];
  return beside.every((other) => contrast(accent, other) >= MIN_CONTRAST);
}

/** Source: WCAG 2.2, "contrast ratio". */
export function contrast(one: Rgb, other: Rgb): number {
  const [dark, light] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return ((light ?? 0) + 0.05) / ((dark ?? 0) + 0.05);
}

export function parse(hex: string): Rgb {
  const value = Number.parseInt(hex.slice(1), 16);
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255];
}

function luminance([red, green, blue]: Rgb): number {
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}

function linear(channel: number): number {
  const share = channel / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
}

function mix([red, green, blue]: Rgb, [r, g, b]: Rgb, share: number): Rgb {
  const blend = (from: number, to: number) => Math.round(from + (to - from) * share);
  return [blend(red, r), blend(green, g), blend(blue, b)];
}

function format(accents: Record<keyof Accents, Rgb>): Accents {
  const entries = Object.entries(accents).map(([part, colour]) => [part, toHex(colour)]);
  return Object.fromEntries(entries) as Accents; // the same keys
}

function toHex(colour: Rgb): string {
  return `#${colour.map((channel) => channel.toString(16).padStart(2, "0")).join("")}`;
}

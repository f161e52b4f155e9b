type Rgb = readonly [number, number, number];

const PAGE = { light: [0xfb, 0xfa, 0xf7], dark: [0x17, 0x16, 0x14] } as const;
const TOWARDS = { light: [0, 0, 0], dark: [255, 255, 255] } as const;
/** WCAG 2.2 asks for 4.5; the rest is for the other backgrounds. */
const MIN_CONTRAST = 5;
const STEP = 0.05;

/**
 * An organisation's colour as it is readable on a page: darker on a light one, lighter on a dark
 * one, as far as needed.
 */
export function readableOn(theme: "light" | "dark", hex: string): string {
  const colour = parse(hex);
  for (let share = 0; share < 1; share += STEP) {
    const mixed = mix(colour, TOWARDS[theme], share);
    if (contrast(mixed, PAGE[theme]) >= MIN_CONTRAST) return format(mixed);
  }
  return format(TOWARDS[theme]);
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

function format(colour: Rgb): string {
  return `#${colour.map((channel) => channel.toString(16).padStart(2, "0")).join("")}`;
}

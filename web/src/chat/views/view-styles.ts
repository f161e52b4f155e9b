/**
 * The app's colours and measures by the names that views know. Each colour is for both themes
 * (`light-dark()`). Source: MCP Apps (SEP-1865), 2026-01-26, "Theming".
 */

const COLORS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  background: {
    primary: "page",
    secondary: "sunken",
    tertiary: "pressed",
    inverse: "ink",
    ghost: "transparent",
    info: "accent-soft",
    danger: "danger-soft",
    success: "ok-soft",
    warning: "warn-soft",
    disabled: "sunken",
  },
  text: {
    primary: "ink",
    secondary: "muted",
    tertiary: "muted",
    inverse: "page",
    ghost: "muted",
    info: "accent",
    danger: "danger",
    success: "ok",
    warning: "warn",
    disabled: "faint",
  },
  border: {
    primary: "hairline-strong",
    secondary: "hairline",
    tertiary: "hairline",
    inverse: "ink",
    ghost: "transparent",
    info: "accent-line",
    danger: "danger",
    success: "ok",
    warning: "warn",
    disabled: "hairline",
  },
  ring: {
    primary: "accent",
    secondary: "control",
    inverse: "page",
    info: "accent",
    danger: "danger",
    success: "ok",
    warning: "warn",
  },
};

/** Names of our tokens by those of the protocol. */
const MEASURES: Readonly<Record<string, string>> = {
  "font-sans": "font-sans",
  "font-mono": "font-mono",
  "border-radius-xs": "radius-sm",
  "border-radius-sm": "radius-sm",
  "border-radius-md": "radius-md",
  "border-radius-lg": "radius-lg",
  "border-radius-xl": "radius-xl",
  "shadow-sm": "shadow-1",
  "shadow-md": "shadow-2",
  "shadow-lg": "shadow-3",
};
/** Sizes of texts, with the height of their lines. */
const SIZES: Readonly<Record<string, string>> = {
  "text-xs": "xs",
  "text-sm": "sm",
  "text-md": "md",
  "text-lg": "base",
  "heading-xs": "base",
  "heading-sm": "lg",
  "heading-md": "xl",
  "heading-lg": "2xl",
  "heading-xl": "3xl",
};
const FIXED = {
  "--font-weight-normal": "400",
  "--font-weight-medium": "500",
  "--font-weight-semibold": "600",
  "--font-weight-bold": "700",
  "--border-radius-full": "9999px",
  "--border-width-regular": "1px",
} as const;

/** What `styles` of the context of a view holds; a token that the page lacks is left out. */
export function viewStyles(): { variables: Record<string, string> } {
  const style = getComputedStyle(document.documentElement);
  const variables: Record<string, string> = { ...FIXED };
  const add = (name: string, token: string) => {
    const value = style.getPropertyValue(`--${token}`).trim();
    if (value !== "") variables[`--${name}`] = value;
  };
  for (const [kind, colors] of Object.entries(COLORS))
    for (const [name, token] of Object.entries(colors))
      if (token === "transparent") variables[`--color-${kind}-${name}`] = token;
      else add(`color-${kind}-${name}`, `color-${token}`);
  for (const [name, token] of Object.entries(MEASURES)) add(name, token);
  for (const [name, token] of Object.entries(SIZES)) {
    add(`font-${name}-size`, `text-${token}`);
    add(`font-${name}-line-height`, `text-${token}--line-height`);
  }
  return { variables };
}

import { hostileMarkdown } from "../../../../test/security/hostile-content.ts";

/** Stands in every text that a test stores, so that it is known again on a page. */
export const MARK = "zq";

/** Where names and texts of filled things come from. */
export interface Words {
  /** Names for several things of a kind, none longer than `maxLength`. */
  names(maxLength?: number): string[];
  /** One name. */
  name(maxLength?: number): string;
  /** Markdown. */
  texts(): string[];
}

const TEXT =
  `# ${MARK}\n\nText with \`code\`, [a link](https://example.org) and $x^2$.\n\n` +
  "```ts\nconst a = 1; // yes\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n- one\n- two\n";

/** Short names, and a text with every part that Markdown has. */
export function plainWords(): Words {
  let serial = 0;
  const name = () => `${MARK} ${(serial += 1)}`;
  return { name, names: () => [name(), name()], texts: () => [TEXT] };
}

/** Ends each hostile name that turns the direction: nothing may follow it in its box. */
export const BIDI_END = "\u2022";

const PAYLOADS_PER_KIND = 5;
const TEXTS = 6;

/** Names and texts that try to run scripts, to send requests, or to break the page. */
export function hostileWords(canary: string): Words {
  const payloads = Object.values(hostileMarkdown(canary));
  const bidi = `${MARK} \u202Efdp.exe\u2067 ${BIDI_END}`;
  const shapes = [
    bidi,
    `${MARK}${"x".repeat(298)}`,
    `${MARK} ${"long words ".repeat(27)}`.slice(0, 300),
    `${MARK} ${"e\u0301\u0323\u0330\u0334".repeat(40)}`,
    `${MARK} \u{1F468}\u200D\u{1F469}\u200D\u{1F467}\u202E`,
  ];
  let serial = 0;
  /** The next payloads in turn, so that the kinds of things together have all of them. */
  const next = (count: number) =>
    Array.from({ length: count }, () => payloads[(serial += 1) % payloads.length] ?? "");
  const fit = (name: string, maxLength: number) => name.slice(0, maxLength).trim();
  return {
    names: (maxLength = 200) =>
      [...shapes, ...next(PAYLOADS_PER_KIND).map((payload) => `${MARK} ${payload}`)].map(
        (name) => fit(name, maxLength),
      ),
    name: (maxLength = 200) => {
      const [payload = ""] = next(1);
      return fit(serial % 3 ? `${MARK} ${payload}` : bidi, maxLength);
    },
    texts: () => [
      ...shapes,
      ...Array.from({ length: TEXTS }, (_, part) =>
        payloads.filter((__, index) => index % TEXTS === part).join(`\n\n${MARK}\n\n`),
      ),
    ],
  };
}

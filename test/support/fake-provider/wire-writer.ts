import type { Reply, Step } from "./script.ts";

/** How a protocol writes a reply: what comes before, for each step, and at the end. */
export interface WireWriter {
  /** `latin1` where the protocol is binary: each character is a byte. Default: UTF-8. */
  encoding?: "latin1";
  open(): string;
  step(step: Step): string;
  close(reply: Reply): string;
}

export const json = (value: unknown) => JSON.stringify(value);
export const data = (value: unknown) => `data: ${json(value)}\n\n`;
export const halves = (text: string): [string, string] => [
  text.slice(0, Math.ceil(text.length / 2)),
  text.slice(Math.ceil(text.length / 2)),
];

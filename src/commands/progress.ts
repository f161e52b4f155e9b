import type { WriteStream } from "node:tty";

type Outcome = "done" | "known" | "failed";

export interface Progress {
  begin(name: string): ProgressLine;
  /** @returns the number of files by outcome. */
  end(): Record<Outcome, number>;
}

export interface ProgressLine {
  /** `share`: from 0 to 1. */
  show(step: string, share: number): void;
  end(outcome: Outcome, reason?: string): void;
}

const BAR_CHARACTERS = 24;
const NAME_CHARACTERS = 36;
const MARK = { done: "✓", known: "=", failed: "✗" };
const REDRAW_MS = 100;

/**
 * Prints a line for each file that has ended and, on a terminal, bars for those in progress below.
 */
export function showProgress(
  total: number,
  out: Pick<WriteStream, "write" | "isTTY">,
): Progress {
  const counts = { done: 0, known: 0, failed: 0 };
  const open = new Map<object, { name: string; step: string; share: number }>();
  let drawn = 0;
  let last = 0;
  const clearBars = () => {
    if (drawn > 0) out.write(`\u001b[${drawn}A\u001b[J`);
    drawn = 0;
  };
  const draw = () => {
    if (!out.isTTY) return;
    clearBars();
    const ended = counts.done + counts.known + counts.failed;
    const lines = [...open.values()].map(
      ({ name, step, share }) => `  ${fit(name)} ${bar(share)} ${step}`,
    );
    if (ended < total) lines.push(`  ${fit(`${ended} of ${total}`)} ${bar(ended / total)}`);
    out.write(lines.map((line) => `${line}\n`).join(""));
    drawn = lines.length;
    last = Date.now();
  };
  return {
    begin(name) {
      const line = { name, step: "uploading", share: 0 };
      open.set(line, line);
      draw();
      return {
        show(step, share) {
          Object.assign(line, { step, share });
          if (Date.now() - last >= REDRAW_MS) draw();
        },
        end(outcome, reason) {
          open.delete(line);
          counts[outcome] += 1;
          clearBars();
          out.write(`${MARK[outcome]} ${name}${reason ? `: ${reason}` : ""}\n`);
          draw();
        },
      };
    },
    end() {
      clearBars();
      return counts;
    },
  };
}

function bar(share: number): string {
  const filled = Math.round(Math.min(1, Math.max(0, share)) * BAR_CHARACTERS);
  return `${"█".repeat(filled)}${"░".repeat(BAR_CHARACTERS - filled)}`;
}

function fit(name: string): string {
  return name.length > NAME_CHARACTERS
    ? `${name.slice(0, NAME_CHARACTERS - 1)}…`
    : name.padEnd(NAME_CHARACTERS);
}

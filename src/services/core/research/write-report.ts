import { citedIn } from "../sources/check-citations.ts";
import type { Source } from "../sources/contract.ts";
import type { Task } from "../../../platform/workers/task.ts";
import type { ToolDeps } from "../tools/toolset.ts";
import type checkReport from "./check-report.ts";
import type { ResearchState } from "./contract-state.ts";
import { type EndedBy, REPORT_TEXTS } from "./report-texts.ts";

export interface Draft {
  language: "en" | "de";
  report: string;
  /** What the model says it could not find. */
  notFound: readonly string[];
}

interface Research {
  state: ResearchState;
  sources: readonly Source[];
  endedBy: EndedBy | undefined;
  userId: string;
}

const CHECK_REPORT: Task<typeof checkReport> = {
  file: new URL("./check-report.ts", import.meta.url),
  timeoutMs: 10_000,
  advice: "Write a shorter report.",
};

/**
 * The report as it is kept: what the model wrote, with its citations checked, and below it what is
 * known without the model: what is missing, the sources, and what was used.
 */
export async function writeReport(
  { workers }: Pick<ToolDeps, "workers">,
  { language, report, notFound }: Draft,
  { state, sources, endedBy, userId }: Research,
  signal: AbortSignal,
): Promise<{ text: string; marked: number }> {
  const texts = REPORT_TEXTS[language];
  const words = sources.map(({ index, fileName, content }) => ({
    index,
    fileName,
    content,
  }));
  const asked = { report: report.trim(), sources: words, marks: texts.marks };
  const checked = await workers.run(CHECK_REPORT, asked, { userId, signal });
  const skipped = state.steps.flatMap(({ title, done }) =>
    done ? [] : [texts.notInvestigated(title)],
  );
  const cited = citedIn(checked.text);
  const listed = sources.filter(({ index }) => cited.has(index)).map(toEntry);
  const about = [
    ...(endedBy ? [texts.ended[endedBy]] : []),
    texts.used(state),
    ...(cited.size + checked.marked > 0 ? [texts.checked(checked.marked)] : []),
  ];
  const parts = [
    checked.text,
    section(texts.notFound, [...notFound, ...skipped].map(toLine)),
    section(
      texts.unread,
      state.unread.map(({ url }) => `<${toAddress(url)}>`),
    ),
    section(texts.sources, listed),
    section(texts.about, about),
  ];
  return { text: parts.filter(Boolean).join("\n\n"), marked: checked.marked };
}

function section(title: string, lines: readonly string[]): string {
  if (lines.length === 0) return "";
  return `## ${title}\n\n${lines.map((line) => `- ${line}`).join("\n")}`;
}

function toEntry({ index, fileName, url }: Source): string {
  const name = toLine(fileName)
    .replace(/[[\]()<>\\`*_]/g, " ")
    .trim();
  return url === undefined
    ? `[${index}] ${name}`
    : `[${index}] [${name || toAddress(url)}](<${toAddress(url)}>)`;
}

/** Text of others stays one line, and part of its list. */
function toLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

function toAddress(url: string): string {
  return url.replace(/[<>\s]/g, encodeURIComponent);
}

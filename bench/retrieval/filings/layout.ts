import { type Company, randomOf } from "./companies.ts";

export interface Filing {
  company: Company;
  year: number;
  /** Of the second quarter, instead of a year. */
  quarter: boolean;
}

export interface Page {
  /** What it is about, by which questions name it. */
  kind: string;
  text: string;
}

/** The share of headings that are only bold words, because no parser recognises all of them. */
const MISSED_HEADINGS = 0.25;

export function heading(level: number, title: string): string {
  return `${"#".repeat(level)} ${title}`;
}

export function dollars(millions: number): string {
  const text = Math.abs(millions).toLocaleString("en-US");
  return millions < 0 ? `(${text})` : text;
}

export function table(
  head: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  const lines = [head, head.map(() => "---"), ...rows];
  return lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

/** The name of the file, as those who collect filings give it. */
export function fileNameOf({ company, year, quarter }: Filing): string {
  return quarter ? `${company.file}_${year}Q2_10Q.pdf` : `${company.file}_${year}_10K.pdf`;
}

/** Makes some of the headings of a page bold words. */
export function headingsOf(filing: Filing, { kind, text }: Page): string {
  const random = randomOf(`${fileNameOf(filing)} ${kind} headings`);
  return text.replace(/^#+ (.*)$/gm, (line: string, title: string) =>
    random() < MISSED_HEADINGS ? `**${title}**` : line,
  );
}

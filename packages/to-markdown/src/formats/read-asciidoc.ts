/**
 * Converts the parts of AsciiDoc that texts usually have to Markdown: headings, lists, tables,
 * listings, links and emphasis. The rest stays text. Source: AsciiDoc Language documentation,
 * "Syntax quick reference".
 */
export function asciidocToMarkdown(text: string): string {
  const lines = text.replace(/\r\n?/g, "\n").split("\n");
  const out: string[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const line = (lines[at] ?? "").trimEnd();
    const fence = /^(-{4,}|\.{4,}|\+{4,}|`{3,})$/.exec(line)?.[1];
    if (fence) {
      const end = indexFrom(lines, fence, at + 1);
      out.push("```", ...lines.slice(at + 1, end), "```");
      at = end;
    } else if (/^[|,:!]===+$/.test(line)) {
      const end = indexFrom(lines, line, at + 1);
      out.push("", ...tableLines(lines.slice(at + 1, end)), "");
      at = end;
    } else if (line.startsWith("|") && line.indexOf("|", 1) > 0) {
      let end = at + 1;
      while (lines[end]?.startsWith("|")) end += 1;
      out.push("", ...tableLines(lines.slice(at, end)), "");
      at = end - 1;
    } else if (line.startsWith("////")) at = indexFrom(lines, line, at + 1);
    else if (
      /^\/\/(?!\/)/.test(line) ||
      /^\[[^\]]*\]$/.test(line) ||
      /^:[\w-]+!?:/.test(line) ||
      /^(?:={4,}|\*{4,}|_{4,}|-{2})$/.test(line)
    )
      continue;
    else out.push(lineToMarkdown(line));
  }
  return out
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}

function indexFrom(lines: readonly string[], mark: string, from: number): number {
  const at = lines.indexOf(mark, from);
  return at < 0 ? lines.length : at;
}

function lineToMarkdown(line: string): string {
  const heading = /^(={1,6})[ \t]+(.+)$/.exec(line);
  if (heading)
    return `\n${"#".repeat(heading[1]?.length ?? 1)} ${inline(heading[2] ?? "")}\n`;
  const item = /^[ \t]*(\*{1,5}|-|\.{1,5})[ \t]+(\S.*)$/.exec(line);
  if (item) {
    const mark = item[1] ?? "-";
    return `${"    ".repeat(mark.length - 1)}${mark.startsWith(".") ? "1." : "-"} ${inline(item[2] ?? "")}`;
  }
  const title = /^\.([A-Z\p{Lu}].*)$/u.exec(line);
  return title ? `*${inline(title[1] ?? "")}*` : inline(line);
}

function inline(text: string): string {
  return text
    .replace(
      /(?:link:)?(https?:\/\/[^\s[\]]{1,500}|(?<=link:)[^\s[\]]{1,500})\[([^\]\n]{0,500})\]/g,
      (_, href: string, label: string) => `[${label || href}](${href})`,
    )
    .replace(/image::?([^\s[\]]{1,300})\[([^\]\n]{0,300})\]/g, "![$2]($1)")
    .replace(/(?<![\w*])\*(\S(?:[^*\n]{0,500}\S)?)\*(?![\w*])/g, "**$1**")
    .replace(/<<[^,>\n]{1,200},([^>\n]{1,200})>>/g, "$1");
}

function tableLines(lines: readonly string[]): string[] {
  const rows: string[][] = [];
  let blank = true;
  for (const line of lines) {
    const cells = line.split(/(?<!\\)\|/);
    if (line.trim() === "") blank = true;
    else if (!line.startsWith("|"))
      rows.at(-1)?.push(...cells.slice(1).map((cell) => cell.trim()));
    else {
      const width = rows[0]?.length ?? 0;
      const row = cells
        .slice(1, line.trimEnd().endsWith("|") && cells.length > 2 ? -1 : undefined)
        .map((cell) => inline(cell.trim()));
      const last = rows.at(-1);
      // one cell per line: a row is complete when it is as wide as the first
      if (last && row.length === 1 && rows.length > 1 && last.length < width)
        last.push(...row);
      else if (last && row.length === 1 && rows.length === 1 && !blank) last.push(...row);
      else rows.push(row);
      blank = false;
    }
  }
  const width = Math.max(0, ...rows.map(({ length }) => length));
  if (width === 0) return [];
  const written = rows.map(
    (row) =>
      `| ${Array.from({ length: width }, (_, index) => row[index] ?? "").join(" | ")} |`,
  );
  return [written[0] ?? "", `|${" --- |".repeat(width)}`, ...written.slice(1)];
}

import { Check, Copy, Download } from "lucide-react";
import { useState } from "react";
import { copyText } from "../ui/copy-text.ts";
import { IconButton } from "../ui/icon-button.tsx";
import type { Rows } from "./chart-rows.ts";
import { saveFile } from "./save-file.ts";
import { useMarkdownTexts } from "./texts.ts";
import { toCsv, toTabs } from "./to-csv.ts";

const COPIED_MS = 2_000;
/** So that spreadsheets read the file as UTF-8. */
const BYTE_ORDER_MARK = "\uFEFF";

/** Copies a table, and saves it as CSV. */
export function TableTools({ read }: { read: () => Rows }) {
  const texts = useMarkdownTexts();
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    await copyText(toTabs(read()));
    setCopied(true);
    setTimeout(() => setCopied(false), COPIED_MS);
  };
  return (
    <div className="markdown-tools" role="group" aria-label={texts.table}>
      <IconButton
        icon={isCopied ? Check : Copy}
        label={isCopied ? texts.copied : texts.copyTable}
        onClick={() => void copy()}
      />
      <IconButton
        icon={Download}
        label={texts.downloadCsv}
        onClick={() => saveFile("table.csv", BYTE_ORDER_MARK + toCsv(read()), "text/csv")}
      />
    </div>
  );
}

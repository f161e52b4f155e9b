import { Download } from "lucide-react";
import { copyText } from "../ui/copy-text.ts";
import { CopyButton } from "../ui/copy-button.tsx";
import { IconButton } from "../ui/icon-button.tsx";
import type { Rows } from "./chart-rows.ts";
import { saveText } from "../ui/save-file.ts";
import { useMarkdownTexts } from "./texts.ts";
import { toCsv, toTabs } from "./to-csv.ts";

/** So that spreadsheets read the file as UTF-8. */
const BYTE_ORDER_MARK = "\uFEFF";

/** Copies a table, and saves it as CSV. */
export function TableTools({ read }: { read: () => Rows }) {
  const texts = useMarkdownTexts();
  return (
    <div className="markdown-tools" role="group" aria-label={texts.table}>
      <CopyButton
        label={texts.copyTable}
        copied={texts.copied}
        copy={() => copyText(toTabs(read()))}
      />
      <IconButton
        icon={Download}
        label={texts.downloadCsv}
        onClick={() => saveText("table.csv", BYTE_ORDER_MARK + toCsv(read()), "text/csv")}
      />
    </div>
  );
}

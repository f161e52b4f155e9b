import { Download } from "lucide-react";
import type { AuditFilter } from "./filter.ts";
import { exportAddress } from "./queries.ts";
import { useAuditTexts } from "./texts.ts";

const FORMATS = ["csv", "json"] as const;

/** Exports the log with the filters of the page. */
export function Exports({ filter }: { filter: AuditFilter }) {
  const texts = useAuditTexts();
  return (
    <div className="flex gap-2">
      {FORMATS.map((format) => (
        <a
          key={format}
          href={exportAddress(filter, format)}
          download
          className={
            "inline-flex min-h-8 items-center gap-2 rounded-md border border-control bg-raised " +
            "px-3 py-1 font-medium hover:bg-sunken pointer-coarse:min-h-11"
          }
        >
          <Download aria-hidden size={16} />
          {texts.formats[format]}
        </a>
      ))}
    </div>
  );
}

import { useNavigate } from "@tanstack/react-router";
import { ArrowDown, ArrowUp } from "lucide-react";
import { AllBox } from "../ui/chosen-bar.tsx";
import { join } from "../ui/join.ts";
import type { Chosen } from "../ui/use-chosen.ts";
import type { DocumentsSearch } from "./routes.ts";
import { ROW_COLUMNS } from "./row.tsx";
import { sortBy, type SortKey, sortOf } from "./sorting.ts";
import { useDocumentTexts } from "./texts.ts";

interface ListHeadProps {
  search: DocumentsSearch;
  /** Absent where nothing can be chosen. */
  chosen: Chosen | undefined;
  total: number;
}

/**
 * The heads of the columns: each sorts by its own. On a narrow screen the number of documents. On a
 * wide one, what can be done with chosen ones takes its place.
 */
export function ListHead({ search, chosen, total }: ListHeadProps) {
  const texts = useDocumentTexts();
  const hasBar = chosen !== undefined && chosen.ids.length > 0;
  return (
    <div
      role="group"
      aria-label={texts.columns}
      className={join(
        "min-h-11 items-center border-b border-hairline text-xs text-muted",
        ROW_COLUMNS,
        hasBar && "md:hidden",
      )}
    >
      {chosen ? <AllBox chosen={chosen} /> : <span />}
      <span className="col-span-2 xl:hidden">{texts.files(total)}</span>
      <Head sort="fileName" search={search} className="col-span-2" />
      <Head sort="status" search={search} />
      <Head sort="size" search={search} isNumber />
      <Head sort="updatedAt" search={search} isNumber />
      {/* as wide as the menu of a row */}
      <span className="size-8 max-xl:hidden pointer-coarse:size-11" />
    </div>
  );
}

interface HeadProps {
  sort: SortKey;
  search: DocumentsSearch;
  isNumber?: boolean;
  className?: string;
}

function Head({ sort, search, isNumber, className }: HeadProps) {
  const texts = useDocumentTexts();
  const navigate = useNavigate();
  const { q, status } = search;
  const current = sortOf(search);
  const isCurrent = current.sort === sort;
  const Icon = current.order === "asc" ? ArrowUp : ArrowDown;
  return (
    <span className={join("flex max-xl:hidden", isNumber && "justify-end", className)}>
      <button
        type="button"
        aria-pressed={isCurrent}
        title={
          isCurrent ? texts.sorts[sort][current.order] : texts.sortBy(texts.heads[sort])
        }
        onClick={() =>
          void navigate({
            to: ".",
            search: { q, status, ...sortBy(sort, search) },
            replace: true,
          })
        }
        className={join(
          "-mx-1.5 inline-flex min-h-7 items-center gap-1 rounded-md px-1.5 font-medium",
          "hover:bg-hover hover:text-ink",
          isCurrent && "text-ink",
          isNumber && "flex-row-reverse",
        )}
      >
        {texts.heads[sort]}
        {isCurrent && <Icon aria-hidden size={13} />}
      </button>
    </span>
  );
}

import { useNavigate } from "@tanstack/react-router";
import { startUpper } from "../texts/start-upper.ts";
import { PickField } from "../ui/pick-field.tsx";
import { SearchField } from "../ui/search-field.tsx";
import type { DocumentsSearch } from "./routes.ts";
import { shorten, SORT_KEYS, sortOf } from "./sorting.ts";
import { STATUSES } from "./statuses.ts";
import { useDocumentTexts } from "./texts.ts";

const ORDERS = ["desc", "asc"] as const;
const CHOICES = SORT_KEYS.flatMap((sort) =>
  ORDERS.map((order) => ({ sort, order, value: `${sort} ${order}` })),
);

/** Filters and sorts the list; both are part of the address. */
export function Filters({ search }: { search: DocumentsSearch }) {
  const texts = useDocumentTexts();
  const navigate = useNavigate();
  const go = (changed: DocumentsSearch) =>
    void navigate({ to: ".", search: changed, replace: true });
  const { q, status, sort, order, of } = search;
  const sorted = sortOf({ sort, order });
  const isSorted = sort !== undefined || order !== undefined;
  return (
    <div className="flex flex-wrap items-center gap-2">
      <SearchField
        label={texts.search}
        className="min-w-0 flex-1 basis-56 max-sm:basis-full"
        value={q}
        onSearch={(next) => go({ ...search, q: next })}
      />
      <PickField
        label={texts.status}
        value={status ?? ""}
        onChange={(event) => {
          const chosen = STATUSES.find((one) => one === event.target.value);
          go({ ...search, status: chosen });
        }}
      >
        <option value="">{texts.anyStatus}</option>
        {STATUSES.map((one) => (
          <option key={one} value={one}>
            {startUpper(texts.statuses[one])}
          </option>
        ))}
      </PickField>
      <PickField
        label={texts.sort}
        value={isSorted ? `${sorted.sort} ${sorted.order}` : ""}
        onChange={({ target }) => {
          const next = CHOICES.find(({ value }) => value === target.value);
          go({ q, status, of, ...(next && shorten(next.sort, next.order)) });
        }}
      >
        <option value="">{texts.sorts.updatedAt.desc}</option>
        {CHOICES.slice(1).map((one) => (
          <option key={one.value} value={one.value}>
            {texts.sorts[one.sort][one.order]}
          </option>
        ))}
      </PickField>
    </div>
  );
}

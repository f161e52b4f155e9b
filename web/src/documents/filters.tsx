import { useNavigate } from "@tanstack/react-router";
import { SearchField } from "../ui/search-field.tsx";
import { SelectField } from "../ui/select-field.tsx";
import { type DocumentStatus, STATUSES } from "./statuses.ts";
import { useDocumentTexts } from "./texts.ts";

interface FiltersProps {
  q: string | undefined;
  status: DocumentStatus | undefined;
}

/** Filters the list; the filters are part of the address. */
export function Filters({ q, status }: FiltersProps) {
  const texts = useDocumentTexts();
  const navigate = useNavigate();
  return (
    <div className="flex flex-wrap gap-3">
      <SearchField
        label={texts.search}
        className="min-w-0 flex-1 basis-56"
        value={q}
        onSearch={(next) =>
          void navigate({ to: ".", search: { q: next, status }, replace: true })
        }
      />
      <SelectField
        label={texts.status}
        value={status ?? ""}
        onChange={(event) => {
          const chosen = STATUSES.find((one) => one === event.target.value);
          void navigate({ to: ".", search: { q, status: chosen }, replace: true });
        }}
      >
        <option value="">{texts.anyStatus}</option>
        {STATUSES.map((one) => (
          <option key={one} value={one}>
            {texts.statuses[one]}
          </option>
        ))}
      </SelectField>
    </div>
  );
}

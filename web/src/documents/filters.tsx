import { useNavigate } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { SelectField } from "../ui/select-field.tsx";
import { TextField } from "../ui/text-field.tsx";
import type { DocumentStatus } from "./queries.ts";
import { useDocumentTexts } from "./texts.ts";

const TYPING_PAUSE_MS = 250;
const STATUSES = ["UPLOADED", "PARSING", "PARSED", "EMBEDDING", "PROCESSED", "FAILED"] as const;

interface FiltersProps {
  q: string | undefined;
  status: DocumentStatus | undefined;
}

/** Narrows the list; what is chosen is part of the address. */
export function Filters({ q, status }: FiltersProps) {
  const texts = useDocumentTexts();
  const navigate = useNavigate();
  const [words, setWords] = useState(q ?? "");
  useEffect(() => {
    const next = words.trim() || undefined;
    if (next === q) return undefined;
    const timer = setTimeout(
      () => void navigate({ to: ".", search: { q: next, status }, replace: true }),
      TYPING_PAUSE_MS,
    );
    return () => clearTimeout(timer);
  }, [words, q, status, navigate]);
  return (
    <div className="flex flex-wrap gap-3">
      <TextField
        label={texts.search}
        type="search"
        className="min-w-0 flex-1 basis-56"
        value={words}
        maxLength={200}
        onChange={(event) => setWords(event.target.value)}
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

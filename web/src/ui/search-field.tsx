import { Search } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { Field, INPUT_LOOK } from "./field.tsx";

const TYPING_PAUSE_MS = 250;

interface SearchFieldProps {
  /** Says what is searched: read to those who cannot see it, and shown while the field is empty. */
  label: string;
  /** The current search; keep it in the address, so that the browser's history works. */
  value: string | undefined;
  maxLength?: number;
  className?: string;
  onSearch: (words: string | undefined) => void;
}

/** A field with a magnifier, which searches once typing pauses. */
export function SearchField({
  value,
  onSearch,
  maxLength = 200,
  label,
  className = "",
}: SearchFieldProps) {
  const [words, setWords] = useState(value ?? "");
  const searched = useRef(value);
  // a link or the way back may search for something else
  useEffect(() => {
    if (value === searched.current) return;
    searched.current = value;
    setWords(value ?? "");
  }, [value]);
  useEffect(() => {
    const next = words.trim() || undefined;
    if (next === value) return undefined;
    const timer = setTimeout(() => {
      searched.current = next;
      onSearch(next);
    }, TYPING_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [words, value, onSearch]);
  return (
    <Field label={label} hidesLabel className={`content-start ${className}`}>
      {(control) => (
        <div className="relative">
          <Search
            aria-hidden
            size={16}
            className="pointer-events-none absolute inset-y-0 left-3 my-auto text-muted"
          />
          <input
            {...control}
            type="search"
            placeholder={label}
            value={words}
            maxLength={maxLength}
            onChange={(event) => setWords(event.target.value)}
            className={`${INPUT_LOOK} pl-9`}
          />
        </div>
      )}
    </Field>
  );
}

import { useEffect, useRef, useState } from "react";
import { TextField } from "./text-field.tsx";

const TYPING_PAUSE_MS = 250;

interface SearchFieldProps {
  label: string;
  /** The current search; keep it in the address, so that the browser's history works. */
  value: string | undefined;
  maxLength?: number;
  className?: string;
  onSearch: (words: string | undefined) => void;
}

/** A field that searches once typing pauses. */
export function SearchField({
  value,
  onSearch,
  maxLength = 200,
  ...field
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
    <TextField
      {...field}
      type="search"
      value={words}
      maxLength={maxLength}
      onChange={(event) => setWords(event.target.value)}
    />
  );
}

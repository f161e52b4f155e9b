import { useUiTexts } from "./texts.ts";
import { TextField } from "./text-field.tsx";

interface Found {
  key: string;
  name: string;
  note?: string | undefined;
}

interface FinderProps {
  label: string;
  hint?: string;
  words: string;
  onWords: (words: string) => void;
  /** What the words find; undefined while they find nothing yet. */
  found: readonly Found[] | undefined;
  onChoose: (key: string) => void;
}

/** Finds things by typing a part of their name, and chooses one. */
export function Finder({ label, hint, words, onWords, found, onChoose }: FinderProps) {
  const texts = useUiTexts();
  return (
    <div className="grid gap-1">
      <TextField
        label={label}
        hint={hint}
        type="search"
        autoComplete="off"
        maxLength={200}
        value={words}
        onChange={(event) => onWords(event.target.value)}
      />
      {words.trim() !== "" && found && (
        <ul className="max-h-72 overflow-y-auto rounded-md border border-hairline">
          {found.map(({ key, name, note }) => (
            <li key={key}>
              <button
                type="button"
                onClick={() => onChoose(key)}
                className={
                  "flex min-h-9 w-full items-baseline gap-3 rounded-md px-3 py-1 text-left " +
                  "hover:bg-hover pointer-coarse:min-h-11 pointer-coarse:items-center"
                }
              >
                <bdi className="max-w-full truncate">{name}</bdi>
                {note && <bdi className="min-w-0 truncate text-xs text-muted">{note}</bdi>}
              </button>
            </li>
          ))}
          {found.length === 0 && (
            <li role="status" className="px-3 py-2 text-muted">
              {texts.nothingFound}
            </li>
          )}
        </ul>
      )}
    </div>
  );
}

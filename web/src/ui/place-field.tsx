import { useState } from "react";
import { SelectField } from "./select-field.tsx";
import { TextField } from "./text-field.tsx";
import { useUiTexts } from "./texts.ts";

/** A folder, with the folders above it in its name. */
export interface Place {
  id: string;
  name: string;
}

interface PlaceFieldProps {
  label: string;
  /** Those whose names contain the words. */
  places: readonly Place[];
  /** Whether the list is long enough for a search field. */
  isLong: boolean;
  words: string;
  onWords: (words: string) => void;
  /** The current folder. */
  start: Place | null;
  /** The label for no folder. */
  none: string;
}

/** A longer list has a search field. */
export const MAX_LISTED_PLACES = 10;
const SHOWN_FOUND = 7;

/** The folder that something is put into; the field is named `folder`. */
export function PlaceField(props: PlaceFieldProps) {
  const { label, places, isLong, words, onWords, start, none } = props;
  const texts = useUiTexts();
  const [chosen, setChosen] = useState<Place | null>();
  const place = chosen === undefined ? start : chosen;
  // what is chosen stays in the list, whatever is searched
  const isListed = !place || places.some(({ id }) => id === place.id);
  const options = isListed ? places : [place, ...places];
  return (
    <div className="grid gap-2">
      {isLong && (
        <TextField
          label={texts.searchFolders}
          type="search"
          autoComplete="off"
          maxLength={200}
          value={words}
          onChange={({ target }) => onWords(target.value)}
          onKeyDown={(event) => {
            // Enter would save the dialog
            if (event.key === "Enter") event.preventDefault();
          }}
        />
      )}
      <SelectField
        label={label}
        name="folder"
        value={place?.id ?? ""}
        onChange={({ target: { value } }) =>
          setChosen(options.find(({ id }) => id === value) ?? null)
        }
        size={words === "" ? undefined : SHOWN_FOUND}
      >
        <option value="">{none}</option>
        {options.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </SelectField>
      {words !== "" && (
        <p role="status" className="text-xs text-muted">
          {texts.found(places.length)}
        </p>
      )}
    </div>
  );
}

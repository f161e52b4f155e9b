import { useChoosingTexts } from "./choosing-texts.ts";
import type { Chosen } from "./use-chosen.ts";

interface ChooseBoxProps {
  chosen: Chosen;
  id: string;
  /** What is chosen: read to those who cannot see the row. */
  name: string;
  disabled?: boolean;
}

/** The box that chooses a row of a list; see `useChosen`. */
export function ChooseBox({ chosen, id, name, disabled }: ChooseBoxProps) {
  const texts = useChoosingTexts();
  return (
    <label className="flex size-8 shrink-0 items-center justify-center select-none pointer-coarse:size-11">
      <input
        type="checkbox"
        data-choose=""
        aria-label={texts.choose(name)}
        checked={chosen.has(id)}
        disabled={disabled}
        onChange={({ target, nativeEvent }) =>
          // a box changes by a click, also of a key
          chosen.choose(id, target.checked, (nativeEvent as MouseEvent).shiftKey)
        }
        className="size-4 accent-accent disabled:invisible"
      />
    </label>
  );
}

import type { UseInfiniteQueryResult } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { Button } from "./button.tsx";
import { Checkbox } from "./checkbox.tsx";
import { Dialog } from "./dialog.tsx";
import { More } from "./more.tsx";
import { SearchField } from "./search-field.tsx";
import { Loading } from "./loading.tsx";
import { Problem } from "./states.tsx";
import { useUiTexts } from "./texts.ts";

interface ChooserProps<Item> {
  title: string;
  /** Searches the list on the server. */
  useList: (
    words: string | undefined,
  ) => UseInfiniteQueryResult<{ items: Item[]; total: number }, Error>;
  keyOf: (item: Item) => string;
  labelOf: (item: Item) => ReactNode;
  hintOf?: (item: Item) => ReactNode;
  isDisabled?: (item: Item) => boolean;
  chosen: readonly string[];
  max: number;
  onChange: (chosen: string[], item: Item) => void;
  onClose: () => void;
}

/** Several things of a long list, searched by name. What is ticked applies at once. */
export function Chooser<Item>(props: ChooserProps<Item>) {
  const { title, useList, keyOf, labelOf, hintOf, isDisabled, chosen, max, onChange } =
    props;
  const texts = useUiTexts();
  const [words, setWords] = useState<string>();
  const list = useList(words);
  const isFull = chosen.length >= max;
  return (
    <Dialog title={title} onClose={props.onClose}>
      <div className="grid gap-3">
        <SearchField label={texts.search} value={words} onSearch={setWords} />
        {list.isPending && <Loading shape="list" lines={4} />}
        {list.error && <Problem error={list.error} onRetry={() => void list.refetch()} />}
        {list.data?.total === 0 && <p className="text-muted">{texts.nothingFound}</p>}
        <ul className="grid max-h-[50dvh] gap-1 overflow-y-auto">
          {list.data?.items.map((item) => {
            const key = keyOf(item);
            const isChosen = chosen.includes(key);
            return (
              <li key={key} className="min-w-0 wrap-anywhere">
                <Checkbox
                  label={labelOf(item)}
                  hint={hintOf?.(item)}
                  checked={isChosen}
                  disabled={!isChosen && (isFull || isDisabled?.(item))}
                  onChange={() =>
                    onChange(
                      isChosen ? chosen.filter((one) => one !== key) : [...chosen, key],
                      item,
                    )
                  }
                />
              </li>
            );
          })}
        </ul>
        <More list={list} />
        <div className="flex items-center justify-between gap-2">
          <span role="status" className="text-muted">
            {texts.chosen(chosen.length)}
          </span>
          <Button look="primary" onClick={props.onClose}>
            {texts.done}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

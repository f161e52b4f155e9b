import { X } from "lucide-react";
import { useSyncExternalStore } from "react";
import { toFailure } from "../api/failure.ts";
import { readErrorText } from "../texts/errors.ts";
import { Button } from "./button.tsx";
import { IconButton } from "./icon-button.tsx";
import { useUiTexts } from "./texts.ts";

interface Notice {
  id: number;
  text: string;
  undo?: (() => void) | undefined;
}

const SHOWN_MS = 8_000;
let notices: readonly Notice[] = [];
let nextId = 1;
const listeners = new Set<() => void>();

/** Shows a message for a few seconds, with a button to undo if possible. */
export function notify(text: string, undo?: () => void): void {
  const notice = { id: nextId, text, undo };
  nextId += 1;
  setNotices([...notices.slice(-2), notice]);
  setTimeout(() => dismiss(notice.id), SHOWN_MS);
}

/** Shows why something failed, where the page has no place for it. */
export function notifyFailure(thrown: unknown): void {
  void readErrorText(toFailure(thrown)).then((text) => notify(text));
}

/**
 * Shows notices where they cover no composer: in the shell, and in a dialog, which covers the shell
 * while it is open.
 */
export function Notices() {
  const texts = useUiTexts();
  const shown = useSyncExternalStore(subscribe, () => notices);
  return (
    <div
      role="status"
      className={
        "pointer-events-none fixed inset-x-0 top-16 z-40 grid justify-items-center gap-2 " +
        "md:top-auto md:right-4 md:bottom-4 md:left-auto md:justify-items-end"
      }
    >
      {shown.map(({ id, text, undo }) => (
        <div
          key={id}
          className={
            "animate-appear pointer-events-auto flex max-w-[90vw] items-center gap-2 rounded-lg " +
            "bg-ink py-1 pr-1 pl-4 text-page shadow-3 [&_button]:text-page " +
            "[&_button:hover]:bg-page/15 [&_button:focus-visible]:outline-page"
          }
        >
          <span>{text}</span>
          {undo && (
            <Button
              look="quiet"
              onClick={() => {
                dismiss(id);
                undo();
              }}
            >
              {texts.undo}
            </Button>
          )}
          <IconButton icon={X} label={texts.close} onClick={() => dismiss(id)} />
        </div>
      ))}
    </div>
  );
}

function dismiss(id: number): void {
  setNotices(notices.filter((notice) => notice.id !== id));
}

function setNotices(next: readonly Notice[]): void {
  notices = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

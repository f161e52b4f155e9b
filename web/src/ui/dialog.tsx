import { X } from "lucide-react";
import { type ReactNode, useId, useLayoutEffect, useRef } from "react";
import { createPortal } from "react-dom";
import { IconButton } from "./icon-button.tsx";
import { join } from "./join.ts";
import { Notices } from "./notices.tsx";
import { useUiTexts } from "./texts.ts";

export interface DialogProps {
  title: string;
  onClose: () => void;
  children: ReactNode;
  /**
   * Default `medium`. `side` fills the height at the right edge; `search` keeps its top in its
   * place while what is found changes.
   */
  size?: keyof typeof SIZES;
  /** Hides the title from sight, where the content makes it plain. */
  hideTitle?: boolean;
}

const SIZES = {
  small: "m-auto w-full max-w-md rounded-xl",
  medium: "m-auto w-full max-w-xl rounded-xl",
  large: "m-auto w-full max-w-4xl rounded-xl",
  search: "mx-auto mt-[14dvh] mb-auto w-full max-w-xl rounded-xl max-h-[min(80dvh,40rem)]!",
  side: "mr-0 ml-auto h-dvh max-h-dvh w-full max-w-xl max-sm:m-0 max-sm:max-w-none! max-sm:border-0",
} as const;

/**
 * A modal dialog: the browser's `<dialog>`, which keeps the focus inside and gives it back. Render
 * it while it is open. The focus begins at the element with `data-first`, else at the first field.
 */
export function Dialog({
  title,
  onClose,
  children,
  size = "medium",
  hideTitle,
}: DialogProps) {
  const texts = useUiTexts();
  const ref = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  // closed before it is removed: only then the browser gives the focus back
  useLayoutEffect(() => {
    const dialog = ref.current;
    dialog?.showModal();
    // the browser would focus the button that closes it, and React keeps `autofocus` to itself
    const first = dialog?.querySelector<HTMLElement>("[data-first]");
    (first ?? dialog?.querySelector<HTMLElement>("input, textarea, select"))?.focus();
    return () => dialog?.close();
  }, []);
  // outside of what opened it: browsers do not tell a form of the submission of one inside it
  return createPortal(
    <dialog
      ref={ref}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onMouseDown={(event) => event.target === event.currentTarget && onClose()}
      className={join(
        "animate-appear border border-hairline bg-page p-0 text-ink shadow-3",
        "max-h-[min(90dvh,56rem)] max-w-[calc(100vw-1rem)] overflow-hidden open:flex open:flex-col",
        SIZES[size],
      )}
    >
      <header className={hideTitle ? "sr-only" : "flex items-center gap-2 py-3 pr-3 pl-5"}>
        <h2 id={titleId} className="min-w-0 flex-1 text-lg wrap-anywhere">
          {title}
        </h2>
        <IconButton icon={X} label={texts.close} onClick={onClose} />
      </header>
      <div
        className={join("min-h-0 flex-1 overflow-y-auto", !hideTitle && "px-5 pt-1 pb-5")}
      >
        {children}
      </div>
      <Notices />
    </dialog>,
    document.body,
  );
}

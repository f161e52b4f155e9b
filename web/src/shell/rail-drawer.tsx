import { useEffect, useRef } from "react";
import { Rail } from "./rail.tsx";
import { useShellTexts } from "./texts.ts";

interface RailDrawerProps {
  onSearch: () => void;
  onShowKeys: () => void;
  onClose: () => void;
}

/** The rail on a phone: slides over the page from the left. */
export function RailDrawer({ onClose, ...rail }: RailDrawerProps) {
  const texts = useShellTexts();
  const ref = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const dialog = ref.current;
    dialog?.showModal();
    return () => dialog?.close();
  }, []);
  return (
    <dialog
      ref={ref}
      aria-label={texts.menu}
      onCancel={onClose}
      onMouseDown={(event) => event.target === event.currentTarget && onClose()}
      className="animate-appear m-0 h-dvh max-h-dvh w-80 max-w-[86vw] bg-rail text-ink shadow-3"
    >
      <Rail {...rail} onClose={onClose} />
    </dialog>
  );
}

import { useEffect, useRef, useState } from "react";

const MAX_EXPANSIONS = 1_000;
/** In `em`: a formula must not cover the page. */
const MAX_SIZE: [number, number] = [50, 50];

interface MathProps {
  tex: string;
  isBlock?: boolean;
}

/** A formula as MathML. Until its code is loaded, and where it is wrong, its source. */
export function MathView({ tex, isBlock = false }: MathProps) {
  const ref = useRef<HTMLSpanElement>(null);
  const [isShown, setShown] = useState(false);
  useEffect(() => {
    let isCurrent = true;
    const show = async () => {
      const { default: temml } = await import("temml");
      if (!isCurrent || !ref.current) return;
      const scratch = document.createElement("span");
      temml.render(tex, scratch, {
        displayMode: isBlock,
        trust: false,
        maxSize: MAX_SIZE,
        maxExpand: MAX_EXPANSIONS,
        throwOnError: true,
      });
      ref.current.replaceChildren(...scratch.childNodes);
      setShown(true);
    };
    show().catch(() => isCurrent && setShown(false));
    return () => {
      isCurrent = false;
    };
  }, [tex, isBlock]);
  return (
    <span className={isBlock ? "my-3 block overflow-x-auto" : undefined}>
      <span ref={ref} hidden={!isShown} />
      {!isShown && <code>{tex}</code>}
    </span>
  );
}

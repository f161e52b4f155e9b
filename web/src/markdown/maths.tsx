import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { loadPart } from "../api/load-part.ts";

interface MathProps {
  tex: string;
  isBlock?: boolean;
}

type Typeset = typeof import("./typeset.ts");

/** Loaded with the first formula, then at once there for all others. */
let loaded: Typeset | undefined;

/** A formula as MathML. Until its code is loaded, and where it is wrong, its source. */
export function MathView({ tex, isBlock = false }: MathProps) {
  const ref = useRef<HTMLSpanElement>(null);
  const [typeset, setTypeset] = useState(() => loaded);
  const [isShown, setShown] = useState(false);
  useEffect(() => {
    if (typeset) return undefined;
    let isCurrent = true;
    loadPart(() => import("./typeset.ts"))
      .then((module) => {
        loaded = module;
        if (isCurrent) setTypeset(module);
      })
      .catch(() => undefined); // the source of the formula stays
    return () => {
      isCurrent = false;
    };
  }, [typeset]);
  useLayoutEffect(() => {
    if (!typeset || !ref.current) return;
    const nodes = typeset.toMathMl(tex, isBlock);
    ref.current.replaceChildren(...(nodes ?? []));
    setShown(nodes !== undefined);
  }, [typeset, tex, isBlock]);
  return (
    <span
      className={isBlock ? "markdown-formula" : undefined}
      // a wide formula scrolls, also by keys
      tabIndex={isBlock && isShown ? 0 : undefined}
    >
      <span ref={ref} hidden={!isShown} />
      {!isShown && <code>{tex}</code>}
    </span>
  );
}

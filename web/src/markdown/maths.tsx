import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { loadPart } from "../api/load-part.ts";

interface MathProps {
  tex: string;
  isBlock?: boolean;
  /** Whether its end has not come. */
  isOpen?: boolean | undefined;
}

type Typeset = typeof import("./typeset.ts");

/** Loaded with the first formula, then at once there for all others. */
let loaded: Typeset | undefined;

/**
 * A formula as MathML. Where it is wrong, or cannot be drawn, its source; while its code is
 * loaded, the room that it takes.
 */
export function MathView({ tex, isBlock = false, isOpen = false }: MathProps) {
  const ref = useRef<HTMLSpanElement>(null);
  const [typeset, setTypeset] = useState(() => loaded);
  const [isShown, setShown] = useState(false);
  const [hasFailed, setFailed] = useState(false);
  useEffect(() => {
    if (typeset) return undefined;
    let isCurrent = true;
    loadPart(() => import("./typeset.ts"))
      .then((module) => {
        loaded = module;
        if (isCurrent) setTypeset(module);
      })
      .catch(() => isCurrent && setFailed(true)); // its source is shown
    return () => {
      isCurrent = false;
    };
  }, [typeset]);
  useLayoutEffect(() => {
    if (!typeset || !ref.current) return;
    const nodes = typeset.toMathMl(tex, isBlock);
    // half a formula is wrong: what could be drawn of it stays
    if (!nodes && isOpen && ref.current.childNodes.length > 0) return;
    ref.current.replaceChildren(...(nodes ?? []));
    setShown(nodes !== undefined);
  }, [typeset, tex, isBlock, isOpen]);
  return (
    <span
      className={isBlock ? "markdown-formula" : isLong(tex) ? "markdown-wide" : undefined}
      // a wide formula scrolls, also by keys
      tabIndex={isBlock && isShown ? 0 : undefined}
    >
      <span ref={ref} hidden={!isShown} />
      {!isShown &&
        (typeset || hasFailed ? (
          // one that grows is shown once it stands still
          <code key={isOpen ? tex : ""} className={isOpen ? "code-coming" : undefined}>
            {tex}
          </code>
        ) : (
          <span
            aria-hidden
            className="invisible inline-block overflow-hidden"
            data-formula-loading
            style={isBlock ? { height: `${aboutAsHigh(tex)}em` } : undefined}
          >
            {aboutAsWide(tex)}
          </span>
        ))}
    </span>
  );
}

/** What may be wider than the text on a phone. */
const LONG_LETTERS = 30;

/** Whether a formula within a line may need to scroll. */
function isLong(tex: string): boolean {
  return aboutAsWide(tex).length > LONG_LETTERS;
}

/** The letters of a formula, without its commands. */
function aboutAsWide(tex: string): string {
  return tex.replace(/\\[a-zA-Z]+|[{}^_&\\]/g, "");
}

/** In `em`: rows, and what stands above and below a line. */
function aboutAsHigh(tex: string): number {
  const rows = tex.split("\\\\").length;
  return rows * 1.5 + (/\\(?:frac|dfrac|sum|int|prod)/.test(tex) ? 1.25 : 0.25);
}

import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { ReleaseLock } from "../shell/locks/release-lock.tsx";
import { formatClock } from "../texts/format.ts";
import { Button } from "../ui/button.tsx";
import { forgetCanvasDraft, loadCanvasDraft } from "./use-work.ts";
import type { CanvasState, StoredCanvas, OpenCanvas } from "./queries.ts";
import type { CanvasSearch } from "./search.ts";
import { useCanvasTexts } from "./texts.ts";

interface StatusProps {
  canvas: StoredCanvas;
  open: OpenCanvas;
  search: CanvasSearch;
}

const LINE = "flex flex-wrap items-center gap-x-3 bg-sunken px-4 py-1.5 text-xs md:px-6";

/** The state of a canvas: who edits it, and unsaved changes. */
export function Status({ canvas, open, search }: StatusProps) {
  const texts = useCanvasTexts();
  const { lock, state, may } = open;
  const { view, version } = search;
  const isOlder = view === undefined && version !== undefined && version < canvas.version;
  return (
    <div role="status" className="grid gap-px">
      {lock && <LockLine lock={lock} />}
      {state && !may.edit && <p className={LINE}>{texts.readOnly}</p>}
      {isOlder && (
        <p className={LINE}>
          {texts.older(version, canvas.version)}
          <Link to="." search={{}} className="text-accent underline">
            {texts.toNewest}
          </Link>
        </p>
      )}
      {may.edit && <Unsaved canvasId={canvas.id} />}
    </div>
  );
}

export function LockLine({ lock }: { lock: NonNullable<CanvasState["lock"]> }) {
  const texts = useCanvasTexts();
  const { featureId, userName, expiresAt } = lock;
  return (
    <div className={LINE}>
      <p>{texts.lockedBy(userName ?? texts.somebody, formatClock(expiresAt))}</p>
      <ReleaseLock featureId={featureId} holder={userName} />
    </div>
  );
}

/** A draft that an earlier visit left. */
function Unsaved({ canvasId }: { canvasId: string }) {
  const texts = useCanvasTexts();
  const [hasDraft, setHasDraft] = useState(() => loadCanvasDraft(canvasId) !== undefined);
  if (!hasDraft) return null;
  return (
    <div className={LINE}>
      <span>{texts.unsaved}</span>
      <Link to="." search={{ view: "edit" }} className="text-accent underline">
        {texts.goOn}
      </Link>
      <Button
        look="quiet"
        className="text-xs"
        onClick={() => {
          forgetCanvasDraft(canvasId);
          setHasDraft(false);
        }}
      >
        {texts.discard}
      </Button>
    </div>
  );
}

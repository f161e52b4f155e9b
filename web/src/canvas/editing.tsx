import { toFailure } from "../api/failure.ts";
import { Button } from "../ui/button.tsx";
import { Loading } from "../ui/loading.tsx";
import { Problem } from "../ui/states.tsx";
import { Differences } from "./differences.tsx";
import { Editor } from "./editor.tsx";
import { type StoredCanvas, stateQuery, acquireLock, releaseLock } from "./queries.ts";
import { LockLine } from "./status.tsx";
import { useCanvasTexts } from "./texts.ts";
import { useWork } from "./use-work.ts";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";

/**
 * The editor, while the user holds the lock. If another version was saved first, it asks what to
 * keep.
 */
export function Editing({ canvas }: { canvas: StoredCanvas }) {
  const texts = useCanvasTexts();
  const lock = useLock(canvas.conversationId);
  if (lock.state === "asking") return <Loading lines={8} />;
  if (lock.state === "refused") return <Refused canvas={canvas} error={lock.error} />;
  return (
    <>
      {canvas.conversationId !== null && (
        <p className="px-4 pb-1 text-xs text-muted md:px-6">{texts.youEdit}</p>
      )}
      <Work canvas={canvas} lockToken={lock.token} />
    </>
  );
}

function Refused({ canvas, error }: { canvas: StoredCanvas; error: unknown }) {
  const { data } = useQuery(stateQuery(canvas.id));
  if (toFailure(error).code !== "locked" || !data?.lock) return <Problem error={error} />;
  return <LockLine lock={data.lock} />;
}

interface WorkProps {
  canvas: StoredCanvas;
  lockToken: number | undefined;
}

function Work({ canvas, lockToken }: WorkProps) {
  const texts = useCanvasTexts();
  const work = useWork(canvas, lockToken);
  const { saving, baseVersion, isDirty } = work;
  const isOvertaken = isDirty && canvas.version > baseVersion;
  const isRefused = saving.error && toFailure(saving.error).code !== "canvas_changed";
  return (
    <>
      {isOvertaken && (
        <Overtaken
          canvas={canvas}
          baseVersion={baseVersion}
          busy={saving.isPending}
          onDiscard={work.discard}
          onKeep={() => work.save(canvas.version)}
        />
      )}
      {isRefused && <Problem error={saving.error} />}
      <Editor
        key={work.editorKey}
        label={texts.editor(canvas.title)}
        text={work.text}
        isCode={canvas.type !== "markdown"}
        onChange={work.change}
        onSave={() => isDirty && work.save(baseVersion)}
      />
      <div className="flex items-center justify-end gap-2 border-t border-hairline px-4 py-2">
        <Button
          look="primary"
          busy={saving.isPending}
          disabled={!isDirty || isOvertaken}
          onClick={() => work.save(baseVersion)}
        >
          {texts.save}
        </Button>
      </div>
    </>
  );
}

interface OvertakenProps {
  canvas: StoredCanvas;
  baseVersion: number;
  busy: boolean;
  onDiscard: () => void;
  onKeep: () => void;
}

/** Another version was saved in the meantime: shows its changes and asks which text to keep. */
function Overtaken({ canvas, baseVersion, busy, onDiscard, onKeep }: OvertakenProps) {
  const texts = useCanvasTexts();
  return (
    <div
      role="alert"
      className="grid max-h-[50%] gap-2 overflow-y-auto bg-sunken px-4 py-3 md:px-6"
    >
      <p className="font-medium">{texts.overtaken(canvas.version)}</p>
      <p>{texts.overtakenHint}</p>
      <Differences canvasId={canvas.id} from={baseVersion} to={canvas.version} />
      <div className="flex flex-wrap gap-2">
        <Button busy={busy} onClick={onKeep}>
          {texts.keepMine}
        </Button>
        <Button look="danger" onClick={onDiscard}>
          {texts.takeTheirs}
        </Button>
      </div>
    </div>
  );
}

/** The maximum interval of renewals, for locks that last long. */
const MAX_RENEWAL_MS = 60_000;
const RETRY_MS = 5_000;

type EditingLock =
  | { state: "asking" }
  /** Without a token: no lock protects the canvas, as outside of a conversation. */
  | { state: "held"; token?: number | undefined }
  | { state: "refused"; error: unknown };

/**
 * Holds the editing lock of a conversation while the component is mounted: takes it, renews it at a
 * third of its time, and releases it on leaving.
 */
function useLock(conversationId: string | null): EditingLock {
  const [lock, setLock] = useState<EditingLock>(
    conversationId === null ? { state: "held" } : { state: "asking" },
  );
  useEffect(() => {
    if (conversationId === null) return undefined;
    let hasLeft = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    // the time between taking and expiry grows with each renewal; the first one tells it
    let intervalMs = MAX_RENEWAL_MS;
    const leave = () => void releaseLock(conversationId).catch(() => {}); // it expires by itself
    const hold = async () => {
      const next = await tryToHold(conversationId);
      if (hasLeft) {
        if (next.lock.state === "held") leave();
        return;
      }
      setLock(next.lock);
      intervalMs = Math.min(intervalMs, next.againInMs);
      timer = setTimeout(() => void hold(), intervalMs);
    };
    void hold();
    window.addEventListener("pagehide", leave);
    return () => {
      hasLeft = true;
      clearTimeout(timer);
      window.removeEventListener("pagehide", leave);
      leave();
    };
  }, [conversationId]);
  return lock;
}

/** @returns the lock, and when to ask for it again: it lives three times as long. */
async function tryToHold(id: string): Promise<{ lock: EditingLock; againInMs: number }> {
  try {
    const { token, acquiredAt, expiresAt } = await acquireLock(id);
    const thirdMs = (Date.parse(expiresAt) - Date.parse(acquiredAt)) / 3;
    return { lock: { state: "held", token }, againInMs: thirdMs };
  } catch (error) {
    const { code, isTemporary } = toFailure(error);
    // whoever may write may do so without a lock; a version that is not the newest is refused
    const isOpen = !isTemporary && code !== "locked";
    return {
      lock: isOpen ? { state: "held" } : { state: "refused", error },
      againInMs: RETRY_MS,
    };
  }
}

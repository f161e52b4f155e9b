import { toFailure } from "../api/failure.ts";
import { Button } from "../ui/button.tsx";
import { Loading, Problem } from "../ui/states.tsx";
import { Differences } from "./differences.tsx";
import { Editor } from "./editor.tsx";
import { type StoredCanvas, stateQuery } from "./queries.ts";
import { LockLine } from "./status.tsx";
import { useCanvasTexts } from "./texts.ts";
import { useLock } from "./use-lock.ts";
import { useWork } from "./use-work.ts";
import { useQuery } from "@tanstack/react-query";

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

import { useState } from "react";
import { toFailure } from "../../api/failure.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmChange } from "../confirm-change.tsx";
import { usePermission } from "../queries.ts";
import { forceRelease } from "./queries.ts";
import { useLockTexts } from "./texts.ts";

interface ReleaseProps {
  featureId: string;
  /** Who holds the lock, where it is known. */
  holder?: string | null;
}

/** A lock protects the canvases of a conversation, or an agent. */
const LOCK_KEYS = [["locks"], ["canvas"], ["agent"]];

/** For administrators: ends the editing lock of another user, who may have gone home. */
export function ReleaseLock({ featureId, holder }: ReleaseProps) {
  const texts = useLockTexts();
  const mayRelease = usePermission("lock:administer");
  const [isAsking, setAsking] = useState(false);
  if (!mayRelease) return null;
  const name = holder ?? texts.somebody;
  return (
    <>
      <Button
        look="danger"
        className="text-xs"
        onClick={() => setAsking(true)}
        {...(holder && { "aria-label": `${texts.release}: ${holder}` })}
      >
        {texts.release}
      </Button>
      {isAsking && (
        <ConfirmChange
          title={texts.title}
          text={texts.text(name)}
          action={texts.release}
          run={() => forceRelease(featureId)}
          keys={LOCK_KEYS}
          done={texts.released}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}

/** The same where a change was refused because of a lock; nothing for any other error. */
export function ReleaseRefusal({ error }: { error: unknown }) {
  const featureId = lockedFeature(error);
  return featureId === undefined ? null : <ReleaseLock featureId={featureId} />;
}

function lockedFeature(error: unknown): string | undefined {
  const { code, details } = toFailure(error);
  if (code !== "locked" || typeof details !== "object" || details === null)
    return undefined;
  return "featureId" in details && typeof details.featureId === "string"
    ? details.featureId
    : undefined;
}

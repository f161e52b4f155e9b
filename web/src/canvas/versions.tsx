import { Link } from "@tanstack/react-router";
import { useChange } from "../shell/use-change.ts";
import { useList } from "../shell/use-list.ts";
import { formatAgo, formatNumber, formatTime } from "../texts/format.ts";
import { isolate } from "../texts/isolate.ts";
import { Button, buttonLook } from "../ui/button.tsx";
import { More } from "../ui/more.tsx";
import { notify } from "../ui/notices.tsx";
import { Loading } from "../ui/loading.tsx";
import { Problem } from "../ui/states.tsx";
import {
  type CanvasVersion,
  restoreVersion,
  type StoredCanvas,
  versionsQuery,
  type OpenCanvas,
} from "./queries.ts";
import { useCanvasTexts } from "./texts.ts";

/** All versions of a canvas: who wrote each, and the way back to it. */
export function Versions({ canvas, open }: { canvas: StoredCanvas; open: OpenCanvas }) {
  const texts = useCanvasTexts();
  const list = useList(versionsQuery(canvas.id));
  const restoring = useChange({
    run: (version: number) => restoreVersion(canvas.id, version, canvas.version),
    keys: [["canvas", canvas.id], ["canvases"]],
    onDone: ({ version }) => notify(texts.restored(version)),
  });
  const mayRestore = open.may.edit && !open.lock;
  return (
    <div className="min-h-0 flex-1 overflow-y-auto px-4 pb-10 md:px-6">
      <div className="mx-auto max-w-measure">
        <h3 className="pt-3 text-lg">{texts.versions}</h3>
        {list.isPending && <Loading shape="list" lines={5} />}
        {list.error && <Problem error={list.error} onRetry={() => void list.refetch()} />}
        {restoring.error && <Problem error={restoring.error} />}
        <ol className="divide-y divide-hairline">
          {list.data?.items.map((version) => (
            <Version
              key={version.version}
              version={version}
              isNewest={version.version === canvas.version}
              onRestore={mayRestore ? () => restoring.mutate(version.version) : undefined}
              busy={restoring.isPending && restoring.variables === version.version}
            />
          ))}
        </ol>
        <More list={list} />
      </div>
    </div>
  );
}

interface VersionProps {
  version: CanvasVersion;
  isNewest: boolean;
  busy: boolean;
  onRestore: (() => void) | undefined;
}

function Version({ version: entry, isNewest, busy, onRestore }: VersionProps) {
  const texts = useCanvasTexts();
  const { version, createdByName, messageId, createdAt, characters } = entry;
  const name = isolate(createdByName ?? texts.gone);
  const ago = formatAgo(createdAt);
  return (
    <li className="flex flex-wrap items-center gap-x-2 gap-y-1 py-2">
      <div className="min-w-0 flex-1 basis-56 max-sm:basis-full">
        <p className="font-medium">
          {texts.version(version)}
          {isNewest && <span className="ml-2 text-xs text-muted">{texts.newest}</span>}
        </p>
        <p className="text-xs text-muted" title={formatTime(createdAt)}>
          {messageId ? texts.byAssistant(name, ago) : texts.byPerson(name, ago)}
          {" · "}
          {texts.characters(formatNumber(characters))}
        </p>
      </div>
      <Link
        to="."
        search={isNewest ? {} : { version }}
        className={buttonLook()}
        aria-label={`${texts.show}: ${texts.version(version)}`}
      >
        {texts.show}
      </Link>
      {version > 1 && (
        <Link
          to="."
          search={{ view: "diff", from: version - 1, version }}
          className={buttonLook()}
          aria-label={`${texts.compareShort}: ${texts.version(version)}`}
        >
          {texts.compareShort}
        </Link>
      )}
      {!isNewest && onRestore && (
        <Button
          busy={busy}
          onClick={onRestore}
          aria-label={`${texts.restore}: ${texts.version(version)}`}
        >
          {texts.restore}
        </Button>
      )}
    </li>
  );
}

import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import type {
  AccessGround,
  Resource,
} from "../../../src/services/users/contract-sharing.ts";
import { formatTime } from "../texts/format.ts";
import { isolate } from "../texts/isolate.ts";
import { Dialog } from "../ui/dialog.tsx";
import { Loading } from "../ui/loading.tsx";
import { Problem } from "../ui/states.tsx";
import { accessQuery } from "./queries.ts";
import { useSharingTexts } from "./texts.ts";

interface ReasonProps {
  resource: Resource;
  /** Why everybody may use it, where that is the reason. */
  known?: string | undefined;
}

/** Says on demand why the person signed in may see something. */
export function AccessReason({ resource, known }: ReasonProps) {
  const texts = useSharingTexts();
  const [isOpen, setOpen] = useState(false);
  return (
    <details
      className="text-sm text-muted"
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary className="min-h-6 w-fit cursor-pointer py-0.5 pointer-coarse:py-2.5">
        {texts.why}
      </summary>
      {known !== undefined && <p>{known}</p>}
      {known === undefined && isOpen && <Grounds resource={resource} />}
    </details>
  );
}

interface AccessDialogProps {
  resource: Resource;
  onClose: () => void;
}

/** The same in a dialog, where the page has no room for it. */
export function AccessDialog({ resource, onClose }: AccessDialogProps) {
  const texts = useSharingTexts();
  return (
    <Dialog title={texts.why} size="small" onClose={onClose}>
      <Grounds resource={resource} />
    </Dialog>
  );
}

function Grounds({ resource }: { resource: Resource }) {
  const texts = useSharingTexts();
  const { data, error, refetch } = useQuery(accessQuery(resource));
  if (error) return <Problem error={error} onRetry={() => void refetch()} />;
  if (!data) return <Loading lines={2} className="px-0" />;
  return (
    <div className="grid gap-1 wrap-anywhere">
      <p>
        {texts.ownedBy(isolate(data.ownerName ?? texts.goneOwner))}{" "}
        {texts.may(texts.roles[data.role])}
      </p>
      <ul aria-label={texts.why} className="list-disc pl-5">
        {data.grounds.map((ground, at) => (
          <li key={at}>
            <Ground ground={ground} folder={data.folders.get(ground.folderId ?? "")} />
          </li>
        ))}
      </ul>
    </div>
  );
}

interface GroundProps {
  ground: AccessGround;
  folder: string | undefined;
}

function Ground({ ground, folder }: GroundProps): ReactNode {
  const texts = useSharingTexts();
  const { kind, folderId, since, role } = ground;
  const what =
    folderId === null ? texts.itself : texts.folder(folder ? isolate(folder) : "");
  const by = isolate(ground.grantedByName ?? texts.goneGranter);
  const sentences = {
    owner: () => texts.because.owner(what),
    user: () => texts.because.user(by, what),
    group: () => texts.because.group(by, what, isolate(ground.groupName ?? texts.gone)),
    link: () => texts.because.link(what),
  };
  return (
    <>
      <bdi>{sentences[kind]()}</bdi>{" "}
      <span className="text-xs">
        ({[texts.roles[role], since && formatTime(since)].filter(Boolean).join(", ")})
      </span>
    </>
  );
}

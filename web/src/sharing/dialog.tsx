import { Share2 } from "lucide-react";
import { type ReactNode, useState } from "react";
import type { Resource } from "../../../src/services/users/contract-sharing.ts";
import { toFailure } from "../api/failure.ts";
import { useList } from "../shell/use-list.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { More } from "../ui/more.tsx";
import { Loading, Problem } from "../ui/states.tsx";
import { AddPeople } from "./add-people.tsx";
import { LinkPart } from "./link-part.tsx";
import { sharesQuery } from "./queries.ts";
import { ShareRow } from "./share-row.tsx";
import { useSharingTexts } from "./texts.ts";
import { useMayShare } from "./use-may-share.ts";

interface SharingProps {
  resource: Resource;
  /** What the resource is called. */
  name: string;
  /** The path in this app that a link leads to. */
  path: string;
  onClose: () => void;
}

/** Who may use a resource: users, groups, and everyone with its link. */
export function SharingDialog({ resource, name, path, onClose }: SharingProps) {
  const texts = useSharingTexts();
  const list = useList(sharesQuery(resource));
  const isHidden = list.error && [403, 404].includes(toFailure(list.error).status);
  return (
    <Dialog title={texts.title(name)} onClose={onClose}>
      {list.isPending && <Loading />}
      {isHidden && <p>{texts.notOwner}</p>}
      {list.error && !isHidden && (
        <Problem error={list.error} onRetry={() => void list.refetch()} />
      )}
      {list.data && (
        <div className="grid gap-6">
          <AddPeople resource={resource} />
          <section className="grid gap-1">
            <h3 className="font-sans font-medium">{texts.people}</h3>
            {list.data.items.length === 0 && <p className="text-muted">{texts.onlyYou}</p>}
            <ul className="divide-y divide-hairline">
              {list.data.items.map((share) => (
                <ShareRow key={share.id} resource={resource} share={share} />
              ))}
            </ul>
            <More list={list} />
          </section>
          <LinkPart resource={resource} path={path} />
        </div>
      )}
    </Dialog>
  );
}

interface ShareButtonProps extends Omit<SharingProps, "onClose"> {
  children: ReactNode;
}

/** Opens the sharing of a resource; shown only to those who may change who has access. */
export function ShareButton({ resource, name, path, children }: ShareButtonProps) {
  const mayShare = useMayShare(resource);
  const [isOpen, setOpen] = useState(false);
  if (!mayShare) return null;
  return (
    <>
      <Button look="quiet" onClick={() => setOpen(true)}>
        <Share2 aria-hidden size={16} />
        {children}
      </Button>
      {isOpen && (
        <SharingDialog
          resource={resource}
          name={name}
          path={path}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}

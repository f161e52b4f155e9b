import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { CircleHelp, FileStack, NotebookPen, Printer, Search } from "lucide-react";
import { Suspense, useState } from "react";
import type { Conversation } from "../../../src/services/core/conversations/contract-messages.ts";
import { ConversationMenu } from "../history/conversation-menu.tsx";
import { AccessDialog } from "../sharing/access-reason.tsx";
import { meQuery, usePermission } from "../shell/queries.ts";
import { lazyPart } from "../ui/lazy-part.ts";
import { useDocumentTitle } from "../ui/document-title.ts";
import type { MenuItem } from "../ui/menu.tsx";
import { useChatTexts } from "./texts.ts";
import { useNewCanvas } from "./use-new-canvas.ts";

const FilesDialog = lazyPart(() => import("./files-dialog.tsx"), "FilesDialog");
const Labels = lazyPart(() => import("../shell/labels/labels.tsx"), "Labels");

interface HeaderProps {
  conversation: Conversation;
  /** Whether any of its replies carries a label. */
  isLabelled: boolean;
  onFind: () => void;
}

/** The title of a conversation, and its actions. */
export function Header({ conversation, isLabelled, onFind }: HeaderProps) {
  const texts = useChatTexts();
  const navigate = useNavigate();
  const [isExplaining, setExplaining] = useState(false);
  const [hasFiles, showFiles] = useState(false);
  const { first, more, isOthers } = useItems(conversation, {
    onFind,
    onFiles: () => showFiles(true),
    onExplain: () => setExplaining(true),
  });
  const mayUpdate = usePermission("conversation:update");
  const { id, title } = conversation;
  useDocumentTitle(title);
  return (
    <header
      className={
        "absolute inset-x-0 top-0 z-10 flex min-h-13 items-center gap-1 border-b border-hairline " +
        "bg-page pr-3 pl-12 md:pl-5 pointer-coarse:min-h-14 pointer-coarse:pl-14 print:hidden"
      }
    >
      <h1
        className="min-w-0 flex-1 truncate font-sans text-md font-medium tracking-normal"
        title={title}
      >
        <bdi>{title || texts.newTitle}</bdi>
      </h1>
      {isLabelled && (
        <Suspense>
          <Labels resource={{ resourceType: "conversation", resourceId: id }} />
        </Suspense>
      )}
      <ConversationMenu
        conversation={conversation}
        label={texts.more}
        first={first}
        more={more}
        hasShareButton
        onDeleted={() => navigate({ to: "/" })}
        onRestored={() => navigate({ to: "/c/$id", params: { id } })}
      />
      {hasFiles && (
        <Suspense>
          <FilesDialog
            conversationId={id}
            mayDelete={mayUpdate && !isOthers}
            onClose={() => showFiles(false)}
          />
        </Suspense>
      )}
      {isExplaining && (
        <AccessDialog
          resource={{ resourceType: "conversation", resourceId: id }}
          onClose={() => setExplaining(false)}
        />
      )}
    </header>
  );
}

interface ItemActions {
  onFind: () => void;
  onFiles: () => void;
  onExplain: () => void;
}

/** What the menu offers on the page alone, before and after what every list offers. */
function useItems(
  { id, userId }: Conversation,
  { onFind, onFiles, onExplain }: ItemActions,
): { first: MenuItem[]; more: MenuItem[]; isOthers: boolean } {
  const texts = useChatTexts();
  const navigate = useNavigate();
  const create = useNewCanvas(id);
  const { data: me } = useQuery(meQuery);
  const isOthers = me !== undefined && userId !== me.id;
  const find = { key: "find", label: texts.find, icon: Search, onChoose: onFind };
  const files = {
    key: "files",
    label: texts.files,
    icon: FileStack,
    onChoose: onFiles,
  };
  const canvas = create && {
    key: "canvas",
    label: texts.newCanvas,
    icon: NotebookPen,
    onChoose: () => create({ title: texts.untitled, content: "" }),
  };
  const print = {
    key: "print",
    label: texts.print,
    icon: Printer,
    onChoose: () => void navigate({ to: "/c/$id/print", params: { id } }),
  };
  const why = {
    key: "why",
    label: texts.whySeen,
    icon: CircleHelp,
    onChoose: onExplain,
  };
  return {
    first: [find, files, ...(canvas ? [canvas] : [])],
    more: [print, ...(isOthers ? [why] : [])],
    isOthers,
  };
}

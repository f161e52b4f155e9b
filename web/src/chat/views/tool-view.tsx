import { useRouter } from "@tanstack/react-router";
import { AppWindow, Maximize2, Minimize2 } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import type { ToolView } from "../../../../src/services/agent-loop/contract-events.ts";
import { Button } from "../../ui/button.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import { join } from "../../ui/join.ts";
import { Notices, notifyFailure } from "../../ui/notices.tsx";
import type { ToolCall } from "../reply-state.ts";
import { useToolName } from "../tool-name.ts";
import { ShownView } from "./shown-view.tsx";
import { useViewTexts } from "./texts.ts";
import type { ViewHost } from "./view-host.ts";
import type { DisplayMode } from "./view-params.ts";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { setViewContext, viewContextsQuery } from "./queries.ts";

interface ToolViewProps {
  tool: ToolCall;
  view: ToolView;
  conversationId: string;
  /** Whether it is shown without a click: older answers wait for one. */
  isOpen: boolean;
}

/** The result of a tool as its server shows it, in a frame that reaches nothing of the app. */
export function ToolViewCard({ tool, view, conversationId, isOpen }: ToolViewProps) {
  const texts = useViewTexts();
  const { title } = useToolName(tool.name);
  const [isShown, show] = useState(isOpen);
  const [canFill, setCanFill] = useState(false);
  const host = useRef<ViewHost>(undefined);
  const { ref, mode, setMode } = useDisplayMode();
  useTeardown(host);
  const hide = async () => {
    await host.current?.teardown("hidden");
    host.current = undefined;
    setMode("inline");
    setCanFill(false);
    show(false);
  };
  const isFull = mode === "fullscreen";
  return (
    // a dialog from the beginning: a frame that is moved would load again
    <dialog
      ref={ref}
      open
      aria-label={texts.title(title, view.server)}
      onCancel={(event) => {
        event.preventDefault();
        setMode("inline");
      }}
      className={join(
        "min-w-0 overflow-hidden border-hairline bg-page p-0 text-ink open:flex open:flex-col",
        isFull
          ? "fixed inset-0 m-0 h-dvh max-h-none w-dvw max-w-none"
          : "static mx-0 my-1 w-full max-w-none rounded-lg border",
      )}
    >
      <header className="flex min-h-9 shrink-0 items-center gap-1.5 bg-sunken px-3 text-sm text-muted">
        <AppWindow aria-hidden size={14} className="shrink-0" />
        <bdi className="min-w-0 flex-1 truncate">{texts.by(view.server)}</bdi>
        {isShown && canFill && (
          <IconButton
            icon={isFull ? Minimize2 : Maximize2}
            label={isFull ? texts.unfill : texts.fill}
            onClick={() => setMode(isFull ? "inline" : "fullscreen")}
          />
        )}
        <Button
          look="quiet"
          onClick={() => (isShown ? void hide() : show(true))}
          aria-expanded={isShown}
        >
          {isShown ? texts.hide : texts.show}
        </Button>
      </header>
      {isShown && (
        <ShownView
          tool={tool}
          view={view}
          conversationId={conversationId}
          host={host}
          mode={mode}
          setMode={setMode}
          isUsed={() => isFrameUsed(ref.current)}
          onReady={setCanFill}
          onLeave={() => void hide()}
        />
      )}
      <AddedContext
        conversationId={conversationId}
        toolCallId={tool.toolCallId}
        server={view.server}
      />
      {isFull && <Notices />}
    </dialog>
  );
}

/** Lets a dialog fill the window, above all else, and takes it back to its place. */
function useDisplayMode() {
  const ref = useRef<HTMLDialogElement>(null);
  const [mode, set] = useState<DisplayMode>("inline");
  const setMode = (wanted: DisplayMode) => {
    const dialog = ref.current;
    const isFull = dialog?.matches(":modal") === true;
    if (!dialog || (wanted === "fullscreen") === isFull) return;
    // gives the focus back
    dialog.close();
    if (wanted === "fullscreen") dialog.showModal();
    // `show()` would take the focus
    else dialog.open = true;
    set(wanted);
  };
  return { ref, mode, setMode };
}

/** A view covers the app only when its person has just done something in it, such as a click. */
function isFrameUsed(card: HTMLElement | null): boolean {
  const { activeElement } = document;
  const isInside = activeElement?.tagName === "IFRAME" && card?.contains(activeElement);
  return isInside === true && navigator.userActivation.isActive;
}

/** Asks a view before its page is left, and waits a moment for it. */
function useTeardown(host: React.RefObject<ViewHost | undefined>): void {
  const { history } = useRouter();
  useEffect(() => {
    const free = history.block({
      enableBeforeUnload: false,
      async blockerFn({ currentLocation, nextLocation }) {
        if (currentLocation.pathname !== nextLocation.pathname)
          await host.current?.teardown("left");
        return false;
      },
    });
    const leave = () => void host.current?.teardown("closed");
    addEventListener("pagehide", leave);
    return () => {
      free();
      removeEventListener("pagehide", leave);
    };
  }, [history, host]);
}

interface AddedContextProps {
  conversationId: string;
  toolCallId: string;
  server: string;
}

/** What a view added to what the model reads next, and how to take it back. */
function AddedContext({ conversationId, toolCallId, server }: AddedContextProps) {
  const texts = useViewTexts();
  const queries = useQueryClient();
  const query = viewContextsQuery(conversationId);
  const { data = [] } = useQuery(query);
  const remove = useMutation({
    mutationFn: () => setViewContext({ conversationId, toolCallId, server, content: "" }),
    onError: notifyFailure,
    onSettled: () => queries.invalidateQueries({ queryKey: query.queryKey }),
  });
  const added = data.find((one) => one.toolCallId === toolCallId);
  if (!added) return null;
  return (
    <div className="flex shrink-0 items-start gap-2 border-t border-hairline px-3 py-1.5 text-sm">
      <details className="min-w-0 flex-1">
        <summary>{texts.added}</summary>
        <pre
          dir="auto"
          tabIndex={0}
          className="max-h-40 overflow-auto text-xs whitespace-pre-wrap wrap-anywhere text-muted"
        >
          {added.content}
        </pre>
      </details>
      <Button look="quiet" onClick={() => remove.mutate()} disabled={remove.isPending}>
        {texts.remove}
      </Button>
    </div>
  );
}

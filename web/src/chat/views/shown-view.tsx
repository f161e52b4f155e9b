import { useQuery, useQueryClient } from "@tanstack/react-query";
import { ShieldQuestionMark } from "lucide-react";
import { type RefObject, useEffect, useMemo, useRef, useState } from "react";
import type { ToolView } from "../../../../src/services/agent-loop/contract-events.ts";
import { SandboxedFrame } from "../../markdown/sandboxed-frame.tsx";
import { useIsDark } from "../../markdown/use-is-dark.ts";
import { latestOnly } from "./latest-only.ts";
import { askConversation } from "../../shell/asked-messages.ts";
import { currentLocale } from "../../texts/language.ts";
import { Button } from "../../ui/button.tsx";
import { join } from "../../ui/join.ts";
import { Loading } from "../../ui/loading.tsx";
import { notify } from "../../ui/notices.tsx";
import { Problem } from "../../ui/states.tsx";
import { AskCard } from "../ask-card.tsx";
import type { ToolCall } from "../reply-state.ts";
import { useToolName } from "../tool-name.ts";
import {
  callFromView,
  listViewResources,
  readViewResource,
  setViewContext,
  viewContextsQuery,
  viewQuery,
} from "./queries.ts";
import { useViewTexts } from "./texts.ts";
import { ViewHost } from "./view-host.ts";
import type { DisplayMode } from "./view-params.ts";
import { viewStyles } from "./view-styles.ts";

const MIN_HEIGHT_PX = 60;
const MAX_HEIGHT_PX = 900;
const FIRST_HEIGHT_PX = 240;
const MAX_LINES = 50;

interface ShownViewProps {
  tool: ToolCall;
  view: ToolView;
  conversationId: string;
  host: RefObject<ViewHost | undefined>;
  mode: DisplayMode;
  setMode: (mode: DisplayMode) => void;
  /** Whether its person has just done something in it. */
  isUsed: () => boolean;
  onReady: (canFill: boolean) => void;
  onLeave: () => void;
}

/** What a view asks its person. */
interface OpenQuestion {
  kind: "link" | "message" | "call";
  text: string;
  answer: (agreed: boolean) => void;
}

/** The frame of a view, what it asks, and what it says of itself. */
export function ShownView(props: ShownViewProps) {
  const { tool, view, conversationId, host, mode, setMode, isUsed } = props;
  const texts = useViewTexts();
  const { title } = useToolName(tool.name);
  const page = useQuery(viewQuery(view, tool.name));
  const queries = useQueryClient();
  const isDark = useIsDark();
  const [height, setHeight] = useState(FIRST_HEIGHT_PX);
  const [asked, setAsked] = useState<OpenQuestion>();
  const [lines, setLines] = useState<readonly string[]>([]);
  const isAsking = useRef(false);
  const theme = isDark ? "dark" : "light";
  const latest = useRef({ mode, theme, props });
  useEffect(() => {
    latest.current = { mode, theme, props };
  });
  useEffect(() => {
    const changed = { theme, styles: viewStyles() };
    host.current?.notify("ui/notifications/host-context-changed", changed);
  }, [host, theme]);
  useEffect(() => {
    const changed = { displayMode: mode, containerDimensions: dimensionsOf(mode) };
    host.current?.notify("ui/notifications/host-context-changed", changed);
  }, [host, mode]);
  const { html, policy, tool: definition } = page.data ?? {};
  const request = useMemo(() => ({ html, policy }), [html, policy]);
  if (page.error)
    return (
      <div className="p-3">
        <Problem error={page.error} onRetry={() => void page.refetch()} />
      </div>
    );
  if (html === undefined) return <Loading lines={4} />;

  /** One at a time: a view cannot cover its person with questions. */
  const ask = (kind: OpenQuestion["kind"], text: string) => {
    if (isAsking.current) return Promise.resolve(false);
    isAsking.current = true;
    return new Promise<boolean>((resolve) =>
      setAsked({
        kind,
        text,
        answer(agreed) {
          isAsking.current = false;
          setAsked(undefined);
          resolve(agreed);
        },
      }),
    );
  };
  const callTool = async (name: string, values: Record<string, unknown>) => {
    const call = { server: view.server, tool: name, values };
    const first = await callFromView({ ...call, approved: false });
    if (first.state === "answered") return first.result;
    const text = `${first.tool}\n${JSON.stringify(values, null, 2)}`;
    if (!(await ask("call", text))) throw new Error("The user did not allow this call.");
    const second = await callFromView({ ...call, approved: true });
    return second.state === "answered" ? second.result : undefined;
  };
  const begin = (send: (message: object) => void) => {
    const made = new ViewHost({
      send,
      context: () => ({
        theme: latest.current.theme,
        styles: viewStyles(),
        locale: currentLocale(),
        timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
        displayMode: latest.current.mode,
        availableDisplayModes: ["inline", "fullscreen"],
        containerDimensions: dimensionsOf(latest.current.mode),
        platform: "web",
        deviceCapabilities: {
          touch: matchMedia("(any-pointer: coarse)").matches,
          hover: matchMedia("(any-hover: hover)").matches,
        },
        ...(definition && { toolInfo: { id: tool.toolCallId, tool: definition } }),
      }),
      callTool,
      readResource: (uri) => readViewResource(view.server, uri),
      listResources: (kind) => listViewResources(view.server, kind),
      async openLink(url) {
        const agreed = await ask("link", url);
        if (agreed) open(url, "_blank", "noopener,noreferrer");
        return agreed;
      },
      async sendMessage(text) {
        if (!(await ask("message", text))) return false;
        const isSent = askConversation(conversationId, text);
        if (!isSent) notify(texts.notShown);
        return isSent;
      },
      updateContext: latestOnly(async (content) => {
        const { toolCallId } = tool;
        const { server } = view;
        await setViewContext({ conversationId, toolCallId, server, content });
        const { queryKey } = viewContextsQuery(conversationId);
        await queries.invalidateQueries({ queryKey });
      }),
      resize: (wanted) =>
        setHeight(Math.min(Math.max(wanted, MIN_HEIGHT_PX), MAX_HEIGHT_PX)),
      setDisplayMode(wanted) {
        const { mode: now } = latest.current;
        if (wanted === "fullscreen" && !isUsed()) return now;
        setMode(wanted);
        return wanted;
      },
      log: (line) => setLines((before) => [...before.slice(1 - MAX_LINES), line]),
      onReady: (canFill) => latest.current.props.onReady(canFill),
      onLeave: () => latest.current.props.onLeave(),
    });
    made.notify("ui/notifications/tool-input", { arguments: tool.arguments });
    made.notify("ui/notifications/tool-result", resultOf(tool, view));
    return made;
  };
  const isFull = mode === "fullscreen";
  return (
    <>
      <SandboxedFrame
        address="/frame/view.html"
        title={texts.title(title, view.server)}
        request={request}
        onMessage={(message, send) => {
          host.current ??= begin(send);
          host.current.receive(message);
        }}
        {...(!isFull && { height })}
        className={join("block w-full bg-page", isFull && "min-h-0 flex-1")}
      />
      {lines.length > 0 && <Log lines={lines} />}
      {asked && <ViewQuestion asked={asked} />}
    </>
  );
}

/** Its width is that of the frame. What fills the window has the height of it. */
function dimensionsOf(mode: DisplayMode): object {
  return mode === "fullscreen" ? {} : { maxHeight: MAX_HEIGHT_PX };
}

/** Where the result was too large to be kept, the view gets what the model read. */
function resultOf({ content = "", isError }: ToolCall, { result }: ToolView): object {
  return (
    result ?? { content: [{ type: "text", text: content }], isError: isError === true }
  );
}

/** What the view says of its work, for whoever wants to know why it does not. */
function Log({ lines }: { lines: readonly string[] }) {
  const texts = useViewTexts();
  return (
    <details className="shrink-0 border-t border-hairline px-3 py-1 text-xs text-muted">
      <summary>{texts.log(lines.length)}</summary>
      <pre
        dir="auto"
        tabIndex={0}
        className="max-h-40 overflow-auto whitespace-pre-wrap wrap-anywhere"
      >
        {lines.join("\n")}
      </pre>
    </details>
  );
}

function ViewQuestion({ asked: { kind, text, answer } }: { asked: OpenQuestion }) {
  const texts = useViewTexts();
  const [name = "", ...values] = text.split("\n");
  const { title } = useToolName(name);
  const heading = {
    link: texts.link,
    message: texts.message,
    call: texts.call(title),
  }[kind];
  const yes = { link: texts.open, message: texts.send, call: texts.run }[kind];
  return (
    <div className="shrink-0 px-3 pb-3">
      <AskCard
        icon={ShieldQuestionMark}
        title={<bdi>{heading}</bdi>}
        hint={<p>{texts.hint}</p>}
        foot={
          <>
            <Button look="primary" onClick={() => answer(true)}>
              {yes}
            </Button>
            <Button look="danger" onClick={() => answer(false)}>
              {texts.deny}
            </Button>
          </>
        }
      >
        <pre
          dir="auto"
          tabIndex={0}
          className="max-h-48 overflow-auto text-sm whitespace-pre-wrap wrap-anywhere"
        >
          {kind === "call" ? values.join("\n") : text}
        </pre>
      </AskCard>
    </div>
  );
}

import { useQuery } from "@tanstack/react-query";
import { AppWindow, ShieldQuestionMark } from "lucide-react";
import { useEffect, useMemo, useRef, useState } from "react";
import type { ToolView } from "../../../../src/services/agent-loop/contract-events.ts";
import { AskCard } from "../ask-card.tsx";
import type { ToolCall } from "../reply-state.ts";
import { useToolName } from "../tool-name.ts";
import { SandboxedFrame } from "../../markdown/sandboxed-frame.tsx";
import { useIsDark } from "../../markdown/use-is-dark.ts";
import { askConversation } from "../../shell/asked-messages.ts";
import { currentLocale } from "../../texts/language.ts";
import { Button } from "../../ui/button.tsx";
import { Loading } from "../../ui/loading.tsx";
import { notify } from "../../ui/notices.tsx";
import { Problem } from "../../ui/states.tsx";
import { callFromView, viewQuery } from "./queries.ts";
import { useViewTexts } from "./texts.ts";
import { ViewHost } from "./view-host.ts";

const MIN_HEIGHT_PX = 60;
const MAX_HEIGHT_PX = 900;
const FIRST_HEIGHT_PX = 240;

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
  const [isShown, show] = useState(isOpen);
  return (
    <figure className="my-1 min-w-0 overflow-hidden rounded-lg border border-hairline">
      <figcaption className="flex min-h-9 items-center gap-1.5 bg-sunken px-3 text-sm text-muted">
        <AppWindow aria-hidden size={14} className="shrink-0" />
        <bdi className="min-w-0 flex-1 truncate">{texts.by(view.server)}</bdi>
        <Button look="quiet" onClick={() => show(!isShown)} aria-expanded={isShown}>
          {isShown ? texts.hide : texts.show}
        </Button>
      </figcaption>
      {isShown && <Shown tool={tool} view={view} conversationId={conversationId} />}
    </figure>
  );
}

/** What a view asks its person. */
interface Asked {
  kind: "link" | "message" | "call";
  text: string;
  answer: (agreed: boolean) => void;
}

function Shown({ tool, view, conversationId }: Omit<ToolViewProps, "isOpen">) {
  const texts = useViewTexts();
  const { title } = useToolName(tool.name);
  const page = useQuery(viewQuery(view));
  const isDark = useIsDark();
  const [height, setHeight] = useState(FIRST_HEIGHT_PX);
  const [asked, setAsked] = useState<Asked>();
  const host = useRef<ViewHost>(undefined);
  const isAsking = useRef(false);
  const theme = isDark ? "dark" : "light";
  useEffect(() => {
    host.current?.notify("ui/notifications/host-context-changed", { theme });
  }, [theme]);
  const { html, policy } = page.data ?? {};
  const request = useMemo(() => ({ html, policy }), [html, policy]);
  if (page.error)
    return (
      <div className="p-3">
        <Problem error={page.error} onRetry={() => void page.refetch()} />
      </div>
    );
  if (html === undefined) return <Loading lines={4} />;

  /** One at a time: a view cannot cover its person with questions. */
  const ask = (kind: Asked["kind"], text: string) => {
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
        theme: document.documentElement.dataset["theme"] ?? theme,
        locale: currentLocale(),
        timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
        displayMode: "inline",
        availableDisplayModes: ["inline"],
        containerDimensions: { maxHeight: MAX_HEIGHT_PX },
        platform: "web",
      }),
      callTool,
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
      resize: (wanted) =>
        setHeight(Math.min(Math.max(wanted, MIN_HEIGHT_PX), MAX_HEIGHT_PX)),
    });
    made.notify("ui/notifications/tool-input", { arguments: tool.arguments });
    made.notify("ui/notifications/tool-result", resultOf(tool, view));
    return made;
  };
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
        height={height}
        className="block w-full bg-page"
      />
      {asked && <Question asked={asked} />}
    </>
  );
}

/** Where the result was too large to be kept, the view gets what the model read. */
function resultOf({ content = "", isError }: ToolCall, { result }: ToolView): object {
  return (
    result ?? { content: [{ type: "text", text: content }], isError: isError === true }
  );
}

function Question({ asked: { kind, text, answer } }: { asked: Asked }) {
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
    <div className="px-3 pb-3">
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

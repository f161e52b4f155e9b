import { useEffect, useRef, useState } from "react";
import type { FrameAnswer } from "./frame-messages.ts";

interface SandboxedFrameProps {
  /** The page of the app that runs in the frame. */
  address: "/frame/drawing.html" | "/frame/result.html" | "/frame/view.html";
  title: string;
  /** What the frame is given, once. Another one starts a new frame. */
  request: unknown;
  onAnswer?: (answer: FrameAnswer) => void;
  /** What a page that runs in the frame says to the app, and how it is answered. */
  onMessage?: (message: unknown, send: (message: object) => void) => void;
  /** Height in pixels, where the frame says it. */
  height?: number;
  className?: string;
}

/**
 * A frame without an origin: what runs in it reads nothing of the app, and its policy lets it ask
 * no server. See docs/web-app.md, "What an answer shows".
 */
export function SandboxedFrame(props: SandboxedFrameProps) {
  const { address, title, request, onAnswer, onMessage, height, className } = props;
  const ref = useRef<HTMLIFrameElement>(null);
  const latest = useRef(onAnswer);
  const latestMessage = useRef(onMessage);
  useEffect(() => {
    latest.current = onAnswer;
    latestMessage.current = onMessage;
  });
  useEffect(() => {
    const hear = ({ data, source }: MessageEvent<unknown>) => {
      const shown = ref.current?.contentWindow;
      // of this frame alone: it has no origin that could be compared
      if (!shown || source !== shown) return;
      latestMessage.current?.(data, (message) => shown.postMessage(message, "*"));
    };
    addEventListener("message", hear);
    return () => removeEventListener("message", hear);
  }, []);
  const [isGiven, setGiven] = useState(false);
  const give = () => {
    // a frame that goes elsewhere, or loads itself again, gets nothing
    if (isGiven) return;
    setGiven(true);
    const { port1, port2 } = new MessageChannel();
    port1.addEventListener("message", ({ data }: MessageEvent<FrameAnswer>) =>
      latest.current?.(data),
    );
    port1.start();
    ref.current?.contentWindow?.postMessage(request, "*", [port2]);
  };
  return (
    <iframe
      ref={ref}
      src={address}
      title={title}
      sandbox="allow-scripts"
      referrerPolicy="no-referrer"
      onLoad={give}
      className={className}
      style={height === undefined ? undefined : { height }}
    />
  );
}

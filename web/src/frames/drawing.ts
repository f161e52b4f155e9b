import type { DrawRequest, FrameAnswer } from "../markdown/frame-messages.ts";
import { loadTypeface } from "./typeface.ts";

/**
 * Draws one diagram or chart. Runs in a sandboxed frame of no origin, which reaches no network and
 * nothing of the page: what a library makes of a hostile text stays in here.
 */

const MAX_MESSAGE_CHARACTERS = 1_000;

const begin = ({ data, ports: [port], source }: MessageEvent<DrawRequest>) => {
  if (source !== parent || !port) return;
  removeEventListener("message", begin);
  const answer = (message: FrameAnswer) => port.postMessage(message);
  draw(data).then(
    (svg) => {
      answer({ type: "drawn", svg: new XMLSerializer().serializeToString(svg) });
      const tell = () => {
        const height = Math.ceil(svg.getBoundingClientRect().height) + 1;
        answer({ type: "height", height });
      };
      new ResizeObserver(tell).observe(svg);
      tell();
    },
    (error: unknown) => {
      const message = error instanceof Error ? error.message : String(error);
      answer({ type: "failed", message: message.slice(0, MAX_MESSAGE_CHARACTERS) });
    },
  );
};

addEventListener("message", begin);

async function draw({ kind, source, isDark }: DrawRequest): Promise<SVGElement> {
  const { style } = document.documentElement;
  style.colorScheme = isDark ? "dark" : "light";
  style.background = "transparent";
  document.body.style.cssText = "margin:0;overflow:hidden;text-align:center";
  const [{ toSvg }] = await Promise.all([
    kind === "mermaid" ? import("./mermaid.ts") : import("./vega.ts"),
    loadTypeface().catch(() => undefined), // else the drawing has the system's
  ]);
  const text = await toSvg(source, isDark, document.documentElement.clientWidth);
  const made = new DOMParser().parseFromString(text, "text/html").querySelector("svg");
  if (!made) throw new Error("Nothing was drawn.");
  made.style.maxWidth ||= "100%"; // Mermaid names the width that it drew for
  made.style.height = "auto";
  document.body.replaceChildren(made);
  return made;
}

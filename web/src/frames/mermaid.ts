import mermaid from "mermaid";
import { MAX_SOURCE_CHARACTERS } from "../markdown/frame-messages.ts";

const MAX_EDGES = 500;

export async function toSvg(source: string, isDark: boolean): Promise<string> {
  mermaid.initialize({
    startOnLoad: false,
    securityLevel: "strict", // no links, no scripts, no HTML of the text
    suppressErrorRendering: true,
    theme: isDark ? "dark" : "default",
    maxTextSize: MAX_SOURCE_CHARACTERS,
    maxEdges: MAX_EDGES,
    fontFamily: "system-ui, sans-serif",
  });
  const { svg } = await mermaid.render("drawing", source);
  return svg;
}

import mermaid from "mermaid";
import { MAX_SOURCE_CHARACTERS } from "../markdown/frame-messages.ts";
import { TYPEFACE } from "./typeface.ts";

const MAX_EDGES = 500;

interface Colours {
  page: string;
  raised: string;
  sunken: string;
  ink: string;
  line: string;
  soft: string;
  edge: string;
  note: string;
  noteEdge: string;
}

/** The colours of `ui/tokens.css`, which a frame without an origin does not read. */
const LIGHT = variables({
  page: "#fbfaf7",
  raised: "#ffffff",
  sunken: "#f1eee7",
  ink: "#1f1d18",
  line: "#635d50",
  soft: "#e2eeeb",
  edge: "#1d5f5a",
  note: "#f5e8c8",
  noteEdge: "#6b4a00",
});
const DARK = {
  darkMode: true,
  ...variables({
    page: "#171614",
    raised: "#211f1c",
    sunken: "#282622",
    ink: "#ece8df",
    line: "#aaa394",
    soft: "#1b3330",
    edge: "#7cc4bb",
    note: "#392e16",
    noteEdge: "#e3c27a",
  }),
};

/** What Mermaid does not find here it mixes of these. */
function variables(colours: Colours): Record<string, string> {
  const { page, raised, sunken, ink, line, soft, edge, note, noteEdge } = colours;
  return {
    background: page,
    mainBkg: soft,
    primaryColor: soft,
    primaryTextColor: ink,
    primaryBorderColor: edge,
    nodeBorder: edge,
    secondaryColor: sunken,
    secondaryTextColor: ink,
    secondaryBorderColor: line,
    tertiaryColor: raised,
    tertiaryTextColor: ink,
    tertiaryBorderColor: line,
    clusterBkg: sunken,
    clusterBorder: line,
    lineColor: line,
    textColor: ink,
    titleColor: ink,
    edgeLabelBackground: raised,
    noteBkgColor: note,
    noteTextColor: ink,
    noteBorderColor: noteEdge,
    actorBkg: soft,
    actorBorder: edge,
    actorTextColor: ink,
    actorLineColor: line,
    signalColor: ink,
    signalTextColor: ink,
    labelBoxBkgColor: sunken,
    labelBoxBorderColor: line,
    labelTextColor: ink,
    loopTextColor: ink,
    activationBkgColor: sunken,
    activationBorderColor: line,
    fontSize: "14px",
  };
}

export async function toSvg(source: string, isDark: boolean): Promise<string> {
  mermaid.initialize({
    startOnLoad: false,
    securityLevel: "strict", // no links, no scripts, no HTML of the text
    suppressErrorRendering: true,
    theme: "base",
    themeVariables: isDark ? DARK : LIGHT,
    maxTextSize: MAX_SOURCE_CHARACTERS,
    maxEdges: MAX_EDGES,
    fontFamily: TYPEFACE,
  });
  const { svg } = await mermaid.render("drawing", source);
  return svg;
}

/** What the page and its sandboxed frames say to each other, over a port of their own. */

export type DrawingKind = "mermaid" | "vega";

export interface DrawRequest {
  kind: DrawingKind;
  source: string;
  isDark: boolean;
}

/** What a canvas makes when it runs. */
export type ResultKind = "html" | "svg" | "react";

export interface ResultRequest {
  kind: ResultKind;
  source: string;
  isDark: boolean;
}

/** How high a chart is that does not say it. */
export const CHART_HEIGHT_PX = 260;

export type FrameAnswer =
  | { type: "drawn"; svg: string }
  | { type: "height"; height: number }
  | { type: "failed"; message: string };

/** Longer sources stay text. */
export const MAX_SOURCE_CHARACTERS = 50_000;

/** A page of a tool server, with the policy of what it declares that it needs. */
export interface ViewRequest {
  html: string;
  policy: string;
}

/** What the frame of a view says when its person presses Escape in it. */
export const ESCAPE = "parlance/escape";

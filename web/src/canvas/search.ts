import { numberIn } from "../shell/search-params.ts";

/** What the address of a canvas says beside the canvas itself. */
export interface CanvasSearch {
  /** On a narrow screen the conversation is shown instead. */
  side?: "chat";
  /** Default: the text as it reads. */
  view?: "edit" | "versions" | "diff";
  /** The version that is shown, or compared with `from`. Default: the newest. */
  version?: number;
  from?: number;
}

const VIEWS = ["edit", "versions", "diff"] as const;

export function validateCanvasSearch(search: Record<string, unknown>): CanvasSearch {
  const { side } = search;
  const version = numberIn(search["version"]);
  const from = numberIn(search["from"]);
  const view = VIEWS.find((one) => one === search["view"]);
  return {
    ...(side === "chat" && { side }),
    ...(view && { view }),
    ...(isVersion(version) && { version }),
    ...(isVersion(from) && { from }),
  };
}

function isVersion(value: number | undefined): value is number {
  return value !== undefined && Number.isInteger(value) && value > 0;
}

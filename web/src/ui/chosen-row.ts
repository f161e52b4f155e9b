/**
 * A box before a row. The area that takes a click reaches into the margin, so that the box itself
 * stands at the edge of the list, where rows without one begin.
 */
export const IN_MARGIN = "-ml-2 pointer-coarse:-ml-3.5";

/** For the bar above such rows: its box stands above theirs, its ground is as wide as theirs. */
export const BAR_IN_MARGIN =
  "-ml-2 pointer-coarse:-ml-3.5 max-md:[&[role=toolbar]]:ml-0 md:[&[role=toolbar]]:-mr-2";

/** The ground of a chosen row, which reaches below its box. The row is `relative isolate`. */
export const CHOSEN_ROW =
  "before:absolute before:-inset-x-2 before:inset-y-0 before:-z-1 before:rounded-md " +
  "before:bg-accent-soft";

/** A box beside a row, so that names begin where the heading does; on a small screen before it. */
export const IN_MARGIN = "xl:absolute xl:-left-8";

/** For the bar above such rows: its box stands above theirs. */
export const BAR_IN_MARGIN = "xl:-ml-8";

/** The ground of a chosen row, which reaches below its box. The row is `relative isolate`. */
export const CHOSEN_ROW =
  "before:absolute before:-inset-x-2 before:inset-y-0 before:-z-1 before:rounded-md " +
  "before:bg-accent-soft xl:before:-left-8";

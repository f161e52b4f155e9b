/** The look of a line of the rail. */
export const RAIL_ROW =
  "group/row relative flex min-h-8.5 items-center gap-2.5 rounded-md py-1 pr-2 pl-2.5 " +
  "hover:bg-hover pointer-coarse:min-h-11 " +
  "data-[status=active]:bg-pressed data-[status=active]:font-medium";

/** The icon of a line, which is darker in the open one. */
export const RAIL_ICON = "shrink-0 text-muted group-data-[status=active]/row:text-ink";

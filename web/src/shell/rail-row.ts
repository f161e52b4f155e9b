/** The look of a line of the rail. */
export const RAIL_ROW =
  "flex min-h-8 items-center gap-2 rounded-md px-2 py-1 hover:bg-sunken pointer-coarse:min-h-11 " +
  "data-[status=active]:bg-sunken data-[status=active]:font-medium";

import { z } from "zod";

/** The queue of files to delete after their documents were deleted. */
export const REMOVALS = "document_removals";
export const Removal = z.object({ keys: z.array(z.string()).max(10) });

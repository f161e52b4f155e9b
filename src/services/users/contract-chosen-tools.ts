import { z } from "zod";

/** Tool servers, or single tools by the names that `GET /api/v1/tools` lists. */
export const ChosenTools = z
  .array(
    z
      .string()
      .max(193)
      .regex(
        /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}(?:\/\S{1,128})?$/,
        "the name of a tool server, or server/tool",
      ),
  )
  .min(1)
  .max(200);

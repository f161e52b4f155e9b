import { z } from "zod";
import { isRecord } from "../../../platform/json/is-record.ts";
import type { RemoteTool } from "../read-tools.ts";

/** What tools say about views of their results. Source: MCP Apps (SEP-1865), 2026-01-26. */

const VIEW_TYPE = "text/html;profile=mcp-app";
/** Says to servers that results are shown in views here: some offer such tools only then. */
export const VIEWS = { "io.modelcontextprotocol/ui": { mimeTypes: [VIEW_TYPE] } };
const MAX_URI_CHARACTERS = 2_000;

const Uri = z
  .string()
  .max(MAX_URI_CHARACTERS)
  .regex(/^ui:\/\//);
const Meta = z.object({
  resourceUri: Uri.optional().catch(undefined),
  visibility: z.array(z.string()).max(10).optional().catch(undefined),
});

interface ViewMeta {
  /** The view that shows the results of the tool. */
  uri: string | undefined;
  /** Who may call it. Both, where the server does not say. */
  isForModel: boolean;
  isForView: boolean;
}

export function viewMetaOf({ extras }: Pick<RemoteTool, "extras">): ViewMeta {
  const given = extras?._meta ?? {};
  const meta = Meta.safeParse(isRecord(given["ui"]) ? given["ui"] : {}).data;
  // the older name
  const uri = meta?.resourceUri ?? Uri.safeParse(given["ui/resourceUri"]).data;
  const visibility = meta?.visibility ?? ["model", "app"];
  return {
    uri,
    isForModel: visibility.includes("model"),
    isForView: visibility.includes("app"),
  };
}

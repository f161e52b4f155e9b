import { useQuery } from "@tanstack/react-query";
import type { DraftFile } from "../shell/drafts.ts";
import { useModels } from "../shell/use-models.ts";
import type { Choice } from "./choice.ts";
import { agentQuery } from "./queries.ts";
import { useChatTexts } from "./texts.ts";

interface ImageNoticeProps {
  files: readonly DraftFile[];
  choice: Choice;
}

/** Says before a message is sent that who answers is known not to read its images. */
export function ImageNotice({ files, choice }: ImageNoticeProps) {
  const hasImage = files.some(({ type }) => type.startsWith("image/"));
  return hasImage ? <Checked choice={choice} /> : null;
}

function Checked({ choice: { model: chosen, agentId } }: { choice: Choice }) {
  const { readsNoImages } = useChatTexts();
  const models = useModels();
  const { data: agent } = useQuery(agentQuery(agentId));
  const wanted = chosen ?? agent?.model;
  // without an agent it is the first; which model an agent without its own asks is not known here
  const first = agentId ? undefined : models?.[0];
  const model = models?.find(({ id }) => id === wanted) ?? first;
  if (!model || model.capabilities.vision) return null;
  return (
    <p role="status" className="mx-auto w-full max-w-measure px-4 pb-1 text-xs text-warn">
      {readsNoImages(model.displayName)}
    </p>
  );
}

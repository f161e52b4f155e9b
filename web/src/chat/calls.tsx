import { Suspense } from "react";
import { lazyPart } from "../ui/lazy-part.ts";
import type { AnswerPart } from "./answer-parts.ts";
import { MadePictures, ToolNote } from "./tool-note.tsx";

const ToolViewCard = lazyPart(() => import("./views/tool-view.tsx"), "ToolViewCard");

interface CallsProps {
  part: AnswerPart;
  conversationId: string;
  /** Whether what their servers show is open. */
  isOpen: boolean;
}

/** What the model called at a place of its answer. Its notes stand here where no margin is. */
export function Calls({ part: { at, tools }, conversationId, isOpen }: CallsProps) {
  return (
    <div data-place={at} className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <div className="grid grid-cols-[minmax(0,1fr)] gap-1 text-sm notes:hidden">
        {tools.map((tool) => (
          <ToolNote key={tool.toolCallId} tool={tool} />
        ))}
      </div>
      <MadePictures tools={tools} />
      {tools.map(
        (tool) =>
          tool.view && (
            <Suspense key={tool.toolCallId} fallback={null}>
              <ToolViewCard
                tool={tool}
                view={tool.view}
                conversationId={conversationId}
                isOpen={isOpen}
              />
            </Suspense>
          ),
      )}
    </div>
  );
}

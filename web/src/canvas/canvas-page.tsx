import { useNavigate, useParams } from "@tanstack/react-router";
import { CanvasPane } from "./pane.tsx";

/** A canvas alone. */
export function CanvasPage() {
  const { canvas } = useParams({ from: "/app/canvas/$canvas" });
  const navigate = useNavigate();
  return (
    <div className="h-full pt-11 md:pt-0">
      <CanvasPane
        key={canvas}
        canvasId={canvas}
        onClose={() => void navigate({ to: "/canvases" })}
      />
    </div>
  );
}

import { Canvases } from "./canvases.tsx";
import { Frame } from "./frame.tsx";

/** One's own canvases, in whatever conversation. */
export function CanvasesPage() {
  return (
    <Frame>
      <Canvases scope="own" />
    </Frame>
  );
}

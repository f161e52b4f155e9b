import { WifiOff } from "lucide-react";
import { useSyncExternalStore } from "react";
import { useShellTexts } from "./texts.ts";

/** Reports that there is no network, and what still works. */
export function OfflineBar() {
  const texts = useShellTexts();
  const isOnline = useOnline();
  return (
    <div role="status">
      {!isOnline && (
        <p className="flex items-center gap-2 border-b border-hairline bg-mark px-4 py-2 text-ink">
          <WifiOff aria-hidden size={16} />
          {texts.offline}
        </p>
      )}
    </div>
  );
}

function useOnline(): boolean {
  return useSyncExternalStore(subscribe, () => navigator.onLine);
}

function subscribe(listener: () => void): () => void {
  window.addEventListener("online", listener);
  window.addEventListener("offline", listener);
  return () => {
    window.removeEventListener("online", listener);
    window.removeEventListener("offline", listener);
  };
}

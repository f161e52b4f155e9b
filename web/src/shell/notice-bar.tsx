import { Megaphone } from "lucide-react";
import { useBranding } from "./branding.ts";

/** The administrators' notice to all users. */
export function NoticeBar() {
  const { notice } = useBranding();
  return (
    <div role="status">
      {notice && (
        <p className="flex items-center gap-2 border-b border-hairline bg-mark px-4 py-2 text-ink">
          <Megaphone aria-hidden size={16} className="shrink-0" />
          <bdi className="min-w-0 wrap-anywhere">{notice.text}</bdi>
        </p>
      )}
    </div>
  );
}

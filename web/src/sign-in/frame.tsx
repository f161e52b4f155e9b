import type { ReactNode } from "react";
import { NoticeBar } from "../shell/notice-bar.tsx";
import { ProductName } from "../shell/product-name.tsx";
import { useDocumentTitle } from "../ui/document-title.ts";

interface FrameProps {
  /** For the tab of the browser; the page has the name of the product. */
  title: string;
  children: ReactNode;
}

/** The narrow column of the pages before anybody is signed in. */
export function Frame({ title, children }: FrameProps) {
  useDocumentTitle(title);
  return (
    <main
      className={
        "grid h-dvh grid-cols-[min(25rem,calc(100vw-2rem))] content-start justify-center gap-6 " +
        "overflow-y-auto bg-rail p-4 pt-[min(12dvh,7rem)] pb-10"
      }
    >
      <h1 className="flex min-w-0 justify-center text-2xl">
        <ProductName />
      </h1>
      <div
        className={
          "grid gap-5 rounded-xl border border-hairline bg-raised p-6 shadow-2 sm:p-8"
        }
      >
        {/* empty, it takes no room */}
        <div className="not-has-[p]:absolute">
          <NoticeBar />
        </div>
        {children}
      </div>
    </main>
  );
}

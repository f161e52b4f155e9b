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
    <main className="grid h-dvh content-start justify-center overflow-y-auto p-4 pt-[12dvh]">
      <div className="grid w-[min(24rem,calc(100vw-2rem))] gap-6">
        <NoticeBar />
        <h1 className="text-2xl">
          <ProductName />
        </h1>
        {children}
      </div>
    </main>
  );
}

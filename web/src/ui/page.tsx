import type { ReactNode } from "react";
import { useDocumentTitle } from "./document-title.ts";

interface PageProps {
  title: string;
  /** Buttons at the right of the title. */
  actions?: ReactNode;
  children: ReactNode;
}

/** The frame of an area: a heading that stays, and content that scrolls. */
export function Page({ title, actions, children }: PageProps) {
  useDocumentTitle(title);
  return (
    <div className="flex h-full flex-col">
      <header
        className={
          "flex min-h-11 flex-wrap items-center gap-2 px-4 py-1.5 pl-12 md:pl-6 " +
          "pointer-coarse:min-h-14"
        }
      >
        <h1 className="min-w-0 flex-1 basis-32 truncate text-lg" title={title}>
          <bdi>{title}</bdi>
        </h1>
        {actions}
      </header>
      <div className="min-h-0 flex-1 overflow-y-auto px-4 pb-10 md:px-6">{children}</div>
    </div>
  );
}

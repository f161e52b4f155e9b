import { createRoute } from "@tanstack/react-router";
import { appRoute } from "../shell/app-route.ts";
import { type DocumentStatus, isStatus } from "./statuses.ts";
import { readSorting, type Sorting } from "./sorting.ts";
import { numberIn } from "../shell/search-params.ts";
import { lazyPart } from "../ui/lazy-part.ts";

export interface DocumentsSearch extends Sorting {
  q?: string | undefined;
  status?: DocumentStatus | undefined;
  /** `chats`: the files that were given to conversations. */
  of?: "chats" | undefined;
}
interface DocumentSearch {
  page?: number;
  view?: DocumentView;
}
export const DOCUMENT_VIEWS = ["original", "text", "chunks", "cut"] as const;
type DocumentView = (typeof DOCUMENT_VIEWS)[number];

const documents = createRoute({
  getParentRoute: () => appRoute,
  id: "documents-list",
  validateSearch: ({
    q,
    status,
    sort,
    order,
    of,
  }: Record<string, unknown>): DocumentsSearch => ({
    ...(typeof q === "string" && { q }),
    ...(of === "chats" && { of }),
    ...(isStatus(status) && { status }),
    ...readSorting(sort, order),
  }),
  component: lazyPart(() => import("./page.tsx"), "DocumentsPage"),
});

const allDocuments = createRoute({ getParentRoute: () => documents, path: "/documents" });

const folder = createRoute({ getParentRoute: () => documents, path: "/documents/$folder" });

interface TrySearch {
  q?: string;
  grade?: number;
  count?: number;
  doc?: string;
}

const tryOut = createRoute({
  getParentRoute: () => appRoute,
  path: "/documents/try",
  validateSearch(search: Record<string, unknown>): TrySearch {
    const { q, doc } = search;
    const grade = numberIn(search["grade"]);
    const count = numberIn(search["count"]);
    return {
      ...(typeof q === "string" && { q }),
      ...(isWithin(grade, 0, 1) && { grade }),
      ...(isWithin(count, 5, 50) && Number.isInteger(count) && { count }),
      ...(typeof doc === "string" && { doc }),
    };
  },
  component: lazyPart(() => import("./try-page.tsx"), "TryPage"),
});

const evaluation = createRoute({
  getParentRoute: () => appRoute,
  path: "/documents/measure",
  component: lazyPart(() => import("./measure/page.tsx"), "MeasurePage"),
});

const document = createRoute({
  getParentRoute: () => appRoute,
  path: "/documents/d/$id",
  validateSearch(search: Record<string, unknown>): DocumentSearch {
    const { view } = search;
    const page = numberIn(search["page"]);
    return { ...(page !== undefined && { page }), ...(isView(view) && { view }) };
  },
  component: lazyPart(() => import("./document-page.tsx"), "DocumentPage"),
});

export const documentRoutes = [
  documents.addChildren([allDocuments, folder]),
  tryOut,
  evaluation,
  document,
];

function isView(value: unknown): value is DocumentView {
  return DOCUMENT_VIEWS.some((view) => view === value);
}

function isWithin(value: number | undefined, least: number, most: number): value is number {
  return value !== undefined && value >= least && value <= most;
}

import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { appRoute } from "../shell/app-route.ts";
import { type DocumentStatus, isStatus } from "./statuses.ts";

interface DocumentsSearch {
  q?: string;
  status?: DocumentStatus;
}
interface DocumentSearch {
  page?: number;
  view?: "text" | "chunks";
}

const documents = createRoute({
  getParentRoute: () => appRoute,
  id: "documents-list",
  validateSearch: ({ q, status }: Record<string, unknown>): DocumentsSearch => ({
    ...(typeof q === "string" && { q }),
    ...(isStatus(status) && { status }),
  }),
  component: lazyRouteComponent(() => import("./page.tsx"), "DocumentsPage"),
});

const allDocuments = createRoute({ getParentRoute: () => documents, path: "/documents" });

const folder = createRoute({ getParentRoute: () => documents, path: "/documents/$folder" });

const document = createRoute({
  getParentRoute: () => appRoute,
  path: "/documents/d/$id",
  validateSearch: ({ page, view }: Record<string, unknown>): DocumentSearch => ({
    ...(typeof page === "number" && { page }),
    ...((view === "text" || view === "chunks") && { view }),
  }),
  component: lazyRouteComponent(() => import("./document-page.tsx"), "DocumentPage"),
});

export const documentRoutes = [documents.addChildren([allDocuments, folder]), document];

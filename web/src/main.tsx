import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { createRoot } from "react-dom/client";
import { createAppRouter } from "./routes.ts";
import { startBranding } from "./shell/branding.ts";
import { startDisplay } from "./shell/display.ts";
import { createQueryClient } from "./shell/query-client.ts";
import { startLanguage } from "./texts/language.ts";
import "./ui/tokens.css";

startDisplay();
startBranding();
startLanguage();
const queries = createQueryClient();
const router = createAppRouter(queries);
const element = document.getElementById("app");
if (!element) throw new Error("index.html has no element #app");
createRoot(element).render(
  <QueryClientProvider client={queries}>
    <RouterProvider router={router} />
  </QueryClientProvider>,
);

import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { readableOn } from "./accent.ts";
import { appQuery } from "./queries.ts";
import { setProductTitle } from "../ui/document-title.ts";

const KEY = "parlance.branding";

interface Look {
  name: string;
  accent: string | null;
}

/** Applies the look of the last visit, so that nothing changes colour while the page loads. */
export function startBranding(): void {
  const stored = readLook();
  if (stored) applyLook(stored);
}

/** Applies the colour and the name of the installation, and keeps them for the next visit. */
export function useAppliedBranding(): void {
  const { data } = useQuery(appQuery);
  useEffect(() => {
    if (!data) return;
    const look = { name: data.name, accent: data.branding.accent };
    localStorage.setItem(KEY, JSON.stringify(look));
    applyLook(look);
  }, [data]);
}

/** The name, logo and notice of the installation. */
export function useBranding() {
  const { data } = useQuery(appQuery);
  const { logo = null, notice = null } = data?.branding ?? {};
  return { name: data?.name ?? readLook()?.name ?? "Parlance", logo, notice };
}

function applyLook({ name, accent }: Look): void {
  setProductTitle(name);
  const { style } = document.documentElement;
  if (accent === null) style.removeProperty("--color-accent");
  else {
    const colours = (["light", "dark"] as const).map((theme) => readableOn(theme, accent));
    style.setProperty("--color-accent", `light-dark(${colours.join(", ")})`);
  }
}

function readLook(): Look | undefined {
  try {
    const { name, accent } = JSON.parse(localStorage.getItem(KEY) ?? "") as Partial<Look>;
    const isColour = typeof accent === "string" && /^#[0-9a-f]{6}$/.test(accent);
    if (typeof name === "string") return { name, accent: isColour ? accent : null };
  } catch {
    // nothing is stored yet
  }
  return undefined;
}

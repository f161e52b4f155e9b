import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { ACCENT_PARTS, accentsOn } from "./accent.ts";
import { appQuery } from "./queries.ts";
import { setProductTitle } from "../ui/document-title.ts";
import { keepInBrowser } from "../api/keep-in-browser.ts";

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
    keepInBrowser(KEY, JSON.stringify(look));
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
  const [light, dark] = [accent, accent].map((colour, at) =>
    colour === null ? undefined : accentsOn(at === 0 ? "light" : "dark", colour),
  );
  for (const part of ACCENT_PARTS) {
    const property = `--color-${part}`;
    if (!light || !dark) style.removeProperty(property);
    else style.setProperty(property, `light-dark(${light[part]}, ${dark[part]})`);
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

import { useEffect } from "react";

interface Entry {
  name: string;
}

/** What is open. Effects of a component run after those inside it: its title is the last. */
const pages: Entry[] = [];
/** The open tabs of those that have some. */
const parts: Entry[] = [];
let product = "Parlance";

/** The name of the installation, at the end of every title. */
export function setProductTitle(name: string): void {
  product = name;
  show();
}

/** Names the page in the tab, in the history of the browser, and to screen readers. */
export function useDocumentTitle(title: string): void {
  useEntry(pages, title);
}

/** Names the open part of the page, before its title. */
export function useDocumentPart(name: string): void {
  useEntry(parts, name);
}

function useEntry(entries: Entry[], name: string): void {
  useEffect(() => {
    if (name === "") return undefined;
    const entry = { name };
    entries.push(entry);
    show();
    return () => {
      entries.splice(entries.indexOf(entry), 1);
      show();
    };
  }, [entries, name]);
}

function show(): void {
  const names = [parts.at(-1)?.name, pages.at(-1)?.name, product];
  document.title = [...new Set(names.filter((name) => name !== undefined))].join(" – ");
}

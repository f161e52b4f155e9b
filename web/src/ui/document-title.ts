import { useEffect } from "react";

/** What is open. Effects of a component run after those inside it: its title is the last. */
const open: { title: string }[] = [];
let product = "Parlance";

/** The name of the installation, at the end of every title. */
export function setProductTitle(name: string): void {
  product = name;
  show();
}

/** Names the page in the tab, in the history of the browser, and to screen readers. */
export function useDocumentTitle(title: string): void {
  useEffect(() => {
    if (title === "") return undefined;
    const entry = { title };
    open.push(entry);
    show();
    return () => {
      open.splice(open.indexOf(entry), 1);
      show();
    };
  }, [title]);
}

function show(): void {
  const title = open.at(-1)?.title;
  document.title = title === undefined ? product : `${title} – ${product}`;
}

import type { Pdfium } from "./pdfium.ts";

/** Trees deeper or larger are not the work of an author. */
const DEEPEST = 40;
const MAX_ELEMENTS = 20_000;
/** Roles that say more than those inside them. */
const TELLING = /^(H[1-6]?|LI|LBody|Lbl|TD|TH|Caption|Note|TOCI|Artifact|Code|Formula|Title)$/;

/**
 * The role of each marked content of a page in a tagged file, by its id; empty for one without
 * tags.
 */
export function readRoles(pdfium: Pdfium, page: number): Map<number, string> {
  const { api } = pdfium;
  const roles = new Map<number, string>();
  const tree = api.FPDF_StructTree_GetForPage(page);
  if (tree === 0) return roles;
  let left = MAX_ELEMENTS;
  const walk = (element: number, role: string, depth: number): void => {
    left -= 1;
    if (element === 0 || left <= 0 || depth > DEEPEST) return;
    const own = pdfium.text("utf-16le", (buffer, size) =>
      api.FPDF_StructElement_GetType(element, buffer, size),
    );
    const telling = TELLING.test(own) ? own : role;
    const count = api.FPDF_StructElement_CountChildren(element);
    for (let index = 0; index < count; index += 1) {
      const id = api.FPDF_StructElement_GetChildMarkedContentID(element, index);
      if (id >= 0) roles.set(id, telling || own);
      else walk(api.FPDF_StructElement_GetChildAtIndex(element, index), telling, depth + 1);
    }
  };
  const count = api.FPDF_StructTree_CountChildren(tree);
  for (let index = 0; index < count; index += 1)
    walk(api.FPDF_StructTree_GetChildAtIndex(tree, index), "", 0);
  api.FPDF_StructTree_Close(tree);
  return roles;
}

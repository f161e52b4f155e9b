import { createHash } from "node:crypto";

/** An image that cannot be compressed to a small size. */
const NOISE = `${createHash("shake256", { outputLength: 3_600 }).update("noise").digest("hex")}>`;

/** A PDF with text on its first page and a large image on its second. */
export function pdfWithImage(text: string): string {
  const content = `BT /F 14 Tf 40 700 Td (${text}) Tj ET`;
  return `%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R 6 0 R]/Count 2>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>endobj
4 0 obj<</Length ${content.length}>>stream
${content}
endstream endobj
5 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj
6 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 7 0 R/Resources<</XObject<</I 8 0 R>>>>>>endobj
7 0 obj<</Length 30>>stream
q 500 0 0 700 50 50 cm /I Do Q
endstream endobj
8 0 obj<</Type/XObject/Subtype/Image/Width 60/Height 60/ColorSpace/DeviceGray/BitsPerComponent 8/Filter/ASCIIHexDecode/Length ${NOISE.length}>>stream
${NOISE}
endstream endobj
trailer<</Root 1 0 R>>
%%EOF`;
}

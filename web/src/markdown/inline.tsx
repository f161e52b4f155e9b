import type { Token, Tokens } from "marked";
import { Fragment, type ReactNode, useEffect, useState } from "react";
import { Cite, TextBeforeCite } from "./cite.tsx";
import { decodeEntities } from "./decode-entities.ts";
import { FootnoteLink } from "./footnotes.tsx";
import type { MathToken } from "./lex.ts";
import type { CiteToken, FootnoteRefToken, TagToken } from "./lex-inline.ts";
import { MathView } from "./maths.tsx";
import { LargePicture } from "../ui/large-picture.tsx";
import { readImageSize } from "./image-size.ts";
import { useMarkdownTexts } from "./texts.ts";

/** The text of a block. */
export function Inline({ tokens }: { tokens: Token[] }): ReactNode {
  return tokens.map((token, at) => {
    const next = tokens[at + 1];
    return (
      <Fragment key={at}>
        {isPlain(token) && next?.type === "cite" ? (
          <TextBeforeCite text={token.text} indexes={(next as CiteToken).indexes} />
        ) : (
          renderInline(token)
        )}
      </Fragment>
    );
  });
}

function isPlain(token: Token): token is Tokens.Text {
  return token.type === "text" && !("tokens" in token && token.tokens);
}

function renderInline(token: Token): ReactNode {
  const inline = token as Tokens.Generic; // the types of marked's own tokens, and of ours
  const children = inline.tokens ? <Inline tokens={inline.tokens} /> : undefined;
  switch (inline.type) {
    case "text":
    case "escape":
      return children ?? decodeEntities(inline["text"]);
    case "strong":
      return <strong>{children}</strong>;
    case "em":
      return <em>{children}</em>;
    case "del":
      return <del>{children}</del>;
    case "codespan":
      return <code>{inline["text"]}</code>;
    case "br":
      return <br />;
    case "link":
      return <SafeLink href={inline["href"]}>{children}</SafeLink>;
    case "image":
      return <Picture href={inline["href"]} text={inline["text"]} />;
    case "cite":
      return <Cite raw={inline.raw} indexes={(token as CiteToken).indexes} />;
    case "math":
      return <MathView tex={(token as MathToken).tex} />;
    case "footnoteRef":
      return <FootnoteLink raw={inline.raw} label={(token as FootnoteRefToken).label} />;
    case "tag": {
      const { tag: Tag } = token as TagToken;
      return <Tag>{children}</Tag>;
    }
    case "html":
      return /^<br\s*\/?>$/i.test(inline.raw) ? <br /> : inline.raw;
    default:
      return inline.raw;
  }
}

/** A picture that the text carries itself. One of a foreign server would tell it who reads. */
function Picture({ href, text }: { href: string; text: string }) {
  const texts = useMarkdownTexts();
  if (SVG_IMAGE.test(href.slice(0, 40)))
    return (
      <span className="text-muted">
        {texts.noDrawing(decodeEntities(text).trim() || texts.picture)}
      </span>
    );
  if (isDataImage(href)) return <DataImage address={href} text={decodeEntities(text)} />;
  return <SafeLink href={href}>{text || href}</SafeLink>;
}

function SafeLink({ href, children }: { href: string; children: ReactNode }) {
  const address = safeAddress(href);
  if (!address) return <>{children}</>;
  return (
    <a href={address} target="_blank" rel="noopener noreferrer nofollow" title={address}>
      {children}
    </a>
  );
}

const SCHEMES = ["http:", "https:", "mailto:"];

/** The address of a link, if following it runs no script. */
function safeAddress(href: string): string | undefined {
  if (!URL.canParse(href)) return undefined;
  const url = new URL(href);
  return SCHEMES.includes(url.protocol) ? url.href : undefined;
}

/** Pictures of pixels: one of vectors is a document of its own. */
const DATA_IMAGE = /^data:image\/(png|jpeg|gif|webp);base64,/i;
/** A few bytes of one can take a browser minutes to draw, so that no size makes it safe. */
const SVG_IMAGE = /^data:image\/svg\+xml[;,]/i;
/** About 3 MB of picture. */
const MAX_CHARACTERS = 4_000_000;
const MAX_PIXELS = 25_000_000;

function isDataImage(address: string): boolean {
  return DATA_IMAGE.test(address.slice(0, 40));
}

/** A picture that the text carries itself. It opens large. */
function DataImage({ address, text }: { address: string; text: string }) {
  const texts = useMarkdownTexts();
  const [shown, setShown] = useState<string | null>();
  const [isLarge, setLarge] = useState(false);
  useEffect(() => {
    const blob = toBlob(address);
    if (!blob) {
      setShown(null);
      return undefined;
    }
    const made = URL.createObjectURL(blob);
    setShown(made);
    return () => URL.revokeObjectURL(made);
  }, [address]);
  const name = text.trim() || texts.picture;
  if (shown === undefined) return null;
  if (shown === null) return <span className="text-muted">{texts.noPicture(name)}</span>;
  return (
    <>
      <button
        type="button"
        className="markdown-image"
        aria-label={texts.enlarge(name)}
        title={texts.enlarge(name)}
        onClick={() => setLarge(true)}
      >
        <img src={shown} alt="" onError={() => setShown(null)} />
      </button>
      {isLarge && (
        <LargePicture name={name} address={shown} onClose={() => setLarge(false)} />
      )}
    </>
  );
}

/** The bytes of a picture, if it is one, and not too large to be drawn. */
function toBlob(address: string): Blob | undefined {
  const head = DATA_IMAGE.exec(address.slice(0, 40));
  if (!head || address.length > MAX_CHARACTERS) return undefined;
  const bytes = decode(address.slice(head[0].length));
  const size = bytes && readImageSize(bytes);
  if (!size || size.width * size.height > MAX_PIXELS) return undefined;
  return new Blob([bytes], { type: `image/${head[1]?.toLowerCase()}` });
}

function decode(base64: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return undefined; // no base64, or cut off
  }
}

import type { Token, Tokens } from "marked";
import { Fragment, type ReactNode } from "react";
import { Cite } from "./cite.tsx";
import { DataImage, isDataImage } from "./data-image.tsx";
import { decodeEntities } from "./decode-entities.ts";
import { FootnoteLink } from "./footnotes.tsx";
import type { MathToken } from "./lex.ts";
import type { CiteToken, FootnoteRefToken, TagToken } from "./lex-inline.ts";
import { MathView } from "./maths.tsx";

/** The text of a block. */
export function Inline({ tokens }: { tokens: Token[] }): ReactNode {
  return tokens.map((token, at) => <Fragment key={at}>{renderInline(token)}</Fragment>);
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

import type { Token, Tokens } from "marked";
import { Fragment, type ReactNode } from "react";
import { Cite } from "./cite.tsx";
import { decodeEntities } from "./decode-entities.ts";
import type { CiteToken, MathToken } from "./lex.ts";
import { MathView } from "./math.tsx";
import { safeAddress } from "./safe-address.ts";

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
      // an image of a foreign server would tell it who reads
      return <SafeLink href={inline["href"]}>{inline["text"] || inline["href"]}</SafeLink>;
    case "cite":
      return <Cite raw={inline.raw} indexes={(token as CiteToken).indexes} />;
    case "math":
      return <MathView tex={(token as MathToken).tex} />;
    case "html":
      return /^<br\s*\/?>$/i.test(inline.raw) ? <br /> : inline.raw;
    default:
      return inline.raw;
  }
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
